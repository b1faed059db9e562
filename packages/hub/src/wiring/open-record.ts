import { hash } from "node:crypto";
import { statfsSync } from "node:fs";
import { join } from "node:path";
import { EarshotError } from "@earshot/protocol";
import type { HubHome } from "../home.ts";
import { HUB_SOURCE } from "../home.ts";
import type { HubContext } from "../hub-options.ts";
import { ADMISSION_LIMITS, IntakeAdmission } from "../intake/admission.ts";
import { createLifecycle } from "../intake/lifecycle.ts";
import { createReducer, createSettings } from "../intake/source-settings.ts";
import type { KeptStore } from "../keeping/prune.ts";
import { RETENTION, type Retention, RetentionRunner } from "../keeping/retention.ts";
import type { LedgerOptions } from "../ledger/engine-ledger.ts";
import type { EventSource, Ledger } from "../ledger/ledger.ts";
import { openLedger } from "../ledger/open-ledger.ts";
import { LIVE_DEFAULTS, LiveStreams } from "../live/live-streams.ts";
import { Meter } from "../metrics/metrics.ts";
import { SleepWatch } from "../sleep-watch.ts";
import { ALERT_THRESHOLDS } from "../views/alerts/detector.ts";
import { beginViews, type OpenViews } from "../views/open-views.ts";

/** The ledger and its followers. */
export interface RecordParts {
  readonly ledger: Ledger;
  readonly live: LiveStreams;
  readonly views: OpenViews;
  readonly keeping: KeptStore;
  readonly retention: Retention;
  readonly admission: IntakeAdmission;
  readonly meter: Meter;
  readonly sleep: SleepWatch;
  readonly redacts: (source: EventSource) => boolean;
  /** Receives problems of the ledger's files, including earlier ones. */
  readonly onAlarm: (hear: (message: string) => void) => void;
  readonly maxListeners: number;
  /** Fulfills when the views can be queried; their thread takes a while to start, during which other parts are opened. */
  readonly begun: Promise<void>;
}

/** Views belong to one ledger: each database has its own file. */
function viewsOf(store: string, { folder }: HubHome): string {
  return join(folder, `views-${hash("sha256", store, "hex").slice(0, 12)}.db`);
}

/** Opens the ledger and its followers. */
export async function openRecord({ options, open, cluster, tell, onFailure }: HubContext): Promise<RecordParts> {
  const { home, limits = {} } = options;
  const settingsOf = createSettings(options.sources ?? {});
  const redacts = (source: EventSource) => settingsOf(source).redact;
  const lifecycle = createLifecycle({ strict: options.strict === true });
  const location = options.store ?? home.ledger;
  const meter = new Meter();
  const sleep = open.use(new SleepWatch());
  const alarms: string[] = [];
  let alarm = (message: string): void => {
    alarms.push(message);
  };
  const ledgerOptions: LedgerOptions = {
    onAlarm: (message) => alarm(message),
    lifecycle,
    reduce: createReducer(settingsOf),
    now: cluster.now,
    onFailure,
    onCommit: (durationMs) => meter.countCommit(durationMs),
  };
  const stored = options.openLedger?.(location, ledgerOptions) ?? (await openLedger(location, home.folder, ledgerOptions));
  open.use(stored);
  const ledger = refuseEventsWhenFull(stored, home.folder);
  const maxListeners = limits.listeners ?? LIVE_DEFAULTS.maxListeners;
  // A listener is not stuck because of sleep.
  const live = open.use(new LiveStreams(ledger, { onFailure, now: () => sleep.awakeNow(), maxListeners }));
  const log = (message: string) => tell("info", message);
  const { views, begun } = beginViews({
    path: options.store === undefined ? home.views : viewsOf(options.store, home),
    ledger,
    ledgerAt: location,
    now: cluster.now,
    log,
    onLoss: (why) => alarm(`Newest entries of the ledger are lost or were removed: of the file of the session views, ${why}.`),
    sleptUntil: () => sleep.sleptUntil,
    thresholds: { ...ALERT_THRESHOLDS, ...options.alerts },
  });
  open.use(views);
  begun.catch(() => {}); // reported to its awaiters
  const retention = { ...RETENTION, ...options.retention };
  const keeping = { ledger, views, now: cluster.now };
  open.use(new RetentionRunner({ retention, store: keeping, log, mayRun: () => cluster.fence() !== undefined }));
  const admission = new IntakeAdmission({ ...ADMISSION_LIMITS, queueBytes: limits.queueBytes ?? ADMISSION_LIMITS.queueBytes });
  const onAlarm = (hear: (message: string) => void) => {
    alarm = hear;
    for (const message of alarms.splice(0)) hear(message);
  };
  return { onAlarm, ledger, live, views, keeping, retention, admission, meter, sleep, redacts, maxListeners, begun };
}

interface FreeSpaceOptions {
  /** Free bytes on the disk. */
  readonly freeBytes: () => number;
  /** With less than this, events are refused. */
  readonly minFreeBytes: number;
  readonly monotonic: () => number;
}

const MIN_FREE_BYTES = 4 * 1024 * 1024;
const LOOK_EVERY_MS = 100;
const FULL = "The disk is full, and what is left of it is kept for decisions: nothing of this was stored.";

/** The ledger, which refuses events while its disk has little space. The rest is reserved for decisions and settings. */
export function refuseEventsWhenFull(ledger: Ledger, folder: string, options: Partial<FreeSpaceOptions> = {}): Ledger {
  const { freeBytes = () => readFreeBytes(folder), minFreeBytes = MIN_FREE_BYTES, monotonic = () => performance.now() } = options;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let hasRoom = true;
  const append: Ledger["append"] = (batch) => {
    if (batch.every(({ source }) => source.name === HUB_SOURCE)) return ledger.append(batch);
    if (!hasRoom || monotonic() - lookedAt >= LOOK_EVERY_MS) {
      lookedAt = monotonic();
      hasRoom = freeBytes() >= minFreeBytes;
    }
    return hasRoom ? ledger.append(batch) : Promise.reject(new EarshotError({ code: "STORAGE_FULL", message: FULL }));
  };
  return new Proxy(ledger, {
    get(target, name) {
      if (name === "append") return append;
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

function readFreeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
