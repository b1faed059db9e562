import { FANOUT_DEFAULTS, Fanout } from "../fanout/fanout.ts";
import { ADMISSION, Admission } from "../intake/admission.ts";
import { createLifecycle } from "../intake/lifecycle.ts";
import { createSettings } from "../intake/source-settings.ts";
import type { ErasePorts } from "../keeping/erase.ts";
import { createKeeping } from "../keeping/keeping.ts";
import type { PrunePorts } from "../keeping/prune.ts";
import { Keeper, RETENTION, type Retention } from "../keeping/retention.ts";
import type { Ledger, Source } from "../ledger/ledger.ts";
import { openSqliteLedger } from "../ledger/sqlite/open-ledger.ts";
import { Meter } from "../metrics/meter.ts";
import { Reserve } from "../reserve.ts";
import { withReserve } from "../reserved-ledger.ts";
import { SleepWatch } from "../sleep-watch.ts";
import { ALERT_THRESHOLDS } from "../views/alerts/thresholds.ts";
import { beginViews, type OpenViews } from "../views/open-views.ts";
import type { Ground } from "./ground.ts";

/** What was said, and what follows from it. */
export interface OpenRecord {
  readonly ledger: Ledger;
  readonly fanout: Fanout;
  readonly views: OpenViews;
  readonly keeping: PrunePorts & ErasePorts;
  readonly retention: Retention;
  readonly admission: Admission;
  readonly meter: Meter;
  readonly sleep: SleepWatch;
  readonly redacts: (source: Source) => boolean;
  /** Tells all who keep something of the ledger in memory that some of it is gone. */
  readonly onCut: () => void;
  /** Another one who does. */
  readonly keepsCopy: (one: { forget(): void }) => void;
  readonly maxListeners: number;
  /** When everything in it can be asked: the scribe's thread takes a while to start, in which others can be opened. */
  readonly begun: Promise<void>;
}

/** Opens the ledger, and those who follow it. */
export function openRecord({ options, open, tell, onFailure }: Ground): OpenRecord {
  const { home, limits = {} } = options;
  const settingsOf = createSettings(options.sources ?? {});
  const redacts = (source: Source) => settingsOf(source).redact;
  const lifecycle = createLifecycle({ strict: options.strict === true, redacts, captures: (source) => settingsOf(source).capture });
  const openLedger = options.openLedger ?? openSqliteLedger;
  const meter = new Meter();
  const sleep = open.use(new SleepWatch());
  const stored = openLedger(home.ledger, {
    lifecycle,
    now: Date.now,
    onFailure,
    onCommit: (durationMs) => meter.countCommit(durationMs),
    thread: true,
  });
  open.use(stored);
  const ledger = withReserve(stored, open.use(new Reserve({ path: home.reserve })));
  const maxListeners = limits.listeners ?? FANOUT_DEFAULTS.maxListeners;
  // A listener is not stuck because nobody was awake.
  const fanout = open.use(new Fanout(ledger, { onFailure, now: () => sleep.awakeNow(), maxListeners }));
  const log = (message: string) => tell("info", message);
  const { views, begun } = beginViews({
    path: home.views,
    ledger,
    ledgerPath: home.ledger,
    now: Date.now,
    log,
    sleptUntil: () => sleep.sleptUntil,
    thresholds: { ...ALERT_THRESHOLDS, ...options.alerts },
  });
  open.use(views);
  begun.catch(() => {}); // told to whoever waits for it
  const retention = { ...RETENTION, ...options.retention };
  const copies: { forget(): void }[] = [fanout];
  const onCut = () => {
    for (const one of copies) one.forget();
  };
  const keeping = createKeeping({ ledger, views, now: Date.now, onCut });
  open.use(new Keeper({ retention, ports: keeping, log }));
  const admission = new Admission({ ...ADMISSION, queueBytes: limits.queueBytes ?? ADMISSION.queueBytes });
  const keepsCopy = (one: { forget(): void }) => void copies.push(one);
  return { ledger, fanout, views, keeping, retention, admission, meter, sleep, redacts, onCut, keepsCopy, maxListeners, begun };
}
