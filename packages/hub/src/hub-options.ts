import type { HubAccessControl } from "./access/access.ts";
import type { Cluster } from "./cluster/cluster.ts";
import type { HubHome } from "./home.ts";
import type { AgentFolder } from "./hooks/map-hook-payload.ts";
import type { RouteInfo } from "./http/openapi.ts";
import type { SetupPorts } from "./http/setup-routes.ts";
import type { SourceSettings } from "./intake/source-settings.ts";
import type { Retention } from "./keeping/retention.ts";
import type { LedgerOptions } from "./ledger/engine-ledger.ts";
import type { Ledger } from "./ledger/ledger.ts";
import type { HubLog, LogLevel } from "./log.ts";
import type { GateFault } from "./requests/api.ts";
import type { SleepWatch } from "./sleep-watch.ts";
import type { AlertThresholds } from "./views/alerts/detector.ts";

/** Checks whether registered hooks can block a call: launcher, settings, switches. Supplied by the CLI, which installs the hooks. */
export type LookAtGates = (folders: readonly AgentFolder[]) => Promise<readonly GateFault[]>;

export interface HubOptions {
  readonly home: HubHome;
  /** Address of the PostgreSQL database with the ledger. Default: a file in the home folder. */
  readonly store?: string;
  /** File with the key from which hubs on one database derive the secrets that they share. */
  readonly clusterKeyFile?: string;
  readonly version: string;
  /** Fixed if given; otherwise the default port, or any free one. */
  readonly port?: number;
  /** Also listen on the default port of AOP clients. */
  readonly aop?: boolean;
  /** Refuse events that break a sequence, instead of storing them with a flag. */
  readonly strict?: boolean;
  /** How much is stored by source: `all`, a protocol, or protocol and name. */
  readonly sources?: Readonly<Record<string, Partial<SourceSettings>>>;
  /** Overrides of the default limits. */
  readonly limits?: { readonly eventBytes?: number; readonly queueBytes?: number; readonly listeners?: number };
  /** The arguments of its start, for restarting it. */
  readonly startedWith?: readonly string[];
  /** Where its settings come from, for the status. */
  readonly configuration?: object;
  /** The address of a TLS proxy: `https://hub.example`. The hub itself stays on loopback. */
  readonly publicUrl?: URL;
  /** Web applications of other origins that may call with a paired device or a token. */
  readonly allowOrigins?: readonly string[];
  /** Programs on this machine may read without a credential, and AAEP subscribers are told that no reply is taken: for a replay. */
  readonly isOpenToReaders?: boolean;
  /** Also listen on this address, without TLS, for anyone who can reach it. */
  readonly dangerousAddress?: string;
  /** Retention limits; 0 is no limit. */
  readonly retention?: Partial<Retention>;
  /** Alert thresholds. */
  readonly alerts?: Partial<AlertThresholds>;
  readonly log?: (message: string) => void;
  /** The folder of the built dashboard. */
  readonly dashboard?: string;
  /** Whether requests are shown on the desktop, if there is one. Default: no. */
  readonly notify?: boolean;
  /** Called when the rules in force change, and once at the start, because launchers may need to be rewritten. */
  readonly onAccepted?: () => void;
  /** Checks whether registered hooks can block a call; left out: no check. */
  readonly lookAtGates?: LookAtGates;
  /** Connects agents and plays the demo for the dashboard; left out: the hub cannot. */
  readonly setup?: SetupPorts;
  /** Opens another kind of ledger, or one that fails in tests. */
  readonly openLedger?: (path: string, options: LedgerOptions) => Ledger;
}

export interface RunningHubHandle extends AsyncDisposable {
  readonly url: string;
  readonly ledger: Ledger;
  readonly access: HubAccessControl;
  readonly routes: readonly RouteInfo[];
  /** Whether and when the machine slept; silence is measured from then. */
  readonly sleep: SleepWatch;
  /** Whether the ledger was just created. */
  readonly isNew: boolean;
  readonly retention: Retention;
  readonly audience: () => Promise<HubAudience>;
  /** Fulfills with the last position when everything in progress is answered and stored. */
  close(): Promise<number>;
}

/** The connected listeners of live streams and AAEP subscriptions. */
export interface HubAudience {
  readonly listeners: number;
  /** Whether all of them were sent everything. */
  readonly isSettled: boolean;
}

/** Shared by all parts of a starting hub. */
export interface HubContext {
  readonly options: HubOptions;
  /** Everything opened is added here and closed in reverse order. */
  readonly open: AsyncDisposableStack;
  /** Its loopback address. */
  readonly url: string;
  /** The other hubs on its database. */
  readonly cluster: Cluster;
  readonly startedAt: string;
  readonly logFile: HubLog;
  readonly tell: (level: LogLevel, message: string) => void;
  /** Logs an internal error that no caller waits for. */
  readonly onFailure: (error: unknown) => void;
}
