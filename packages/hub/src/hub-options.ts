import type { Access } from "./access/access.ts";
import type { Cluster } from "./cluster/cluster.ts";
import type { Home } from "./home.ts";
import type { LookAtGates } from "./hooks/gate-watcher.ts";
import type { RouteInfo } from "./http/openapi.ts";
import type { SourceSettings } from "./intake/source-settings.ts";
import type { Retention } from "./keeping/retention.ts";
import type { LedgerOptions } from "./ledger/engine-ledger.ts";
import type { Ledger } from "./ledger/ledger.ts";
import type { HubLog, LogLevel } from "./log.ts";
import type { SleepWatch } from "./sleep-watch.ts";
import type { AlertThresholds } from "./views/alerts/detector.ts";

export interface HubOptions {
  readonly home: Home;
  /** Address of the PostgreSQL database that has the ledger. Without it, the ledger is a file in the home folder. */
  readonly store?: string;
  /** File with the key from which hubs on one database derive the secrets that they share. */
  readonly clusterKeyFile?: string;
  readonly version: string;
  /** Never moved when it is given; otherwise the default, or any free one. */
  readonly port?: number;
  /** Also listen where unmodified AOP clients look. */
  readonly aop?: boolean;
  /** Refuse what breaks a sequence, instead of keeping it with a flag. */
  readonly strict?: boolean;
  /** What is kept of what sources say, by `all`, protocol, or protocol and name. */
  readonly sources?: Readonly<Record<string, Partial<SourceSettings>>>;
  /** Bounds that differ from the usual ones. */
  readonly limits?: { readonly eventBytes?: number; readonly queueBytes?: number; readonly listeners?: number };
  /** The words it was started with, for starting it again in the same way. */
  readonly startedWith?: readonly string[];
  /** Where its settings come from, as the status tells it. */
  readonly configuration?: object;
  /** Where a proxy with TLS stands in front: `https://hub.example`. The hub itself stays on loopback. */
  readonly publicUrl?: URL;
  /** Web applications of other origins that may call for whoever is paired or holds a token. */
  readonly allowOrigins?: readonly string[];
  /** Listen on this address too, without TLS, for anybody who can reach it. */
  readonly dangerousAddress?: string;
  /** How long and how much is kept; 0 is no limit. */
  readonly retention?: Partial<Retention>;
  /** When something is worth an alert. */
  readonly alerts?: Partial<AlertThresholds>;
  readonly log?: (message: string) => void;
  /** The folder of the built dashboard. */
  readonly dashboard?: string;
  /** Whether requests are told on the person's desktop too, where there is one. Off unless it is wanted. */
  readonly notify?: boolean;
  /** Called when the rules in force are another text than before, and once at the start: what hooks carry along may have to change. */
  readonly onAccepted?: () => void;
  /** Looks whether registered hooks can hold; left out: nobody does. */
  readonly lookAtGates?: LookAtGates;
  /** Another way to open the ledger: a store of another kind, or one that is made to fail. */
  readonly openLedger?: (path: string, options: LedgerOptions) => Ledger;
}

export interface Hub extends AsyncDisposable {
  readonly url: string;
  readonly ledger: Ledger;
  readonly access: Access;
  readonly routes: readonly RouteInfo[];
  /** Whether and when it slept: what waits for a sign of life counts from then. */
  readonly sleep: SleepWatch;
  /** Whether there was no ledger before. */
  readonly isNew: boolean;
  readonly retention: Retention;
  /** Fulfils when all that was under way is answered and stored, with the last position. */
  close(): Promise<number>;
}

/** What every part of a starting hub stands on. */
export interface HubContext {
  readonly options: HubOptions;
  /** Whatever is opened goes in here, and is closed in the opposite order. */
  readonly open: AsyncDisposableStack;
  /** Where it listens, on loopback. */
  readonly url: string;
  /** The other hubs on its database. */
  readonly cluster: Cluster;
  readonly startedAt: string;
  readonly logFile: HubLog;
  readonly tell: (level: LogLevel, message: string) => void;
  /** A bug, or something that broke: nobody is waiting to hear of it. */
  readonly onFailure: (error: unknown) => void;
}
