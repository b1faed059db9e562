import { setImmediate as nextTurn } from "node:timers/promises";
import type { JsonObject } from "@earshot/protocol";
import type { Entry, Removal } from "../ledger/ledger.ts";
import { HUB_SOURCE } from "../own-entries.ts";
import { alertNumber } from "./alert-table.ts";
import type { AlertThresholds } from "./alerts/detector.ts";
import { checkTime, hearEntry, nextCheckAt, type Raised } from "./alerts/watch.ts";
import { foldCollectorEvent } from "./collector-facts.ts";
import { Draft } from "./draft.ts";
import { activitiesOf, hearingOf, jsonOf } from "./heard.ts";
import { type LedgerReading, readArrived } from "./ledger-reading.ts";
import { searchTexts } from "./search/search-texts.ts";
import { type CachedSession, SessionCache } from "./session-cache.ts";
import { foldHeard } from "./session-fold.ts";
import type { ViewTables, Watermark } from "./view-tables.ts";
import type { Alert } from "./views.ts";

export interface FollowerOptions {
  readonly ledger: LedgerReading;
  readonly tables: ViewTables;
  readonly thresholds: AlertThresholds;
  readonly log: (line: string) => void;
  /** Up to where somebody waits for the tables: they are written as soon as it is folded. */
  readonly awaited: () => number;
  /** Whether somebody waits for a removal: following goes on afterwards. */
  readonly yields: () => boolean;
  /** After what it tells is in the tables. */
  readonly onStep: (news: News) => void;
  /** Says that it must stop between two slices. */
  readonly signal: AbortSignal;
}

/** Alerts that are in the tables now. Those that time alone raised are not in the order of the others. */
export interface News {
  readonly heard: readonly Alert[];
  readonly timed: readonly Alert[];
}

/** Nobody is asked and nothing else is done while a slice is folded; it ends when this time is over, or that much is to be written. */
const SLICE_MS = 8;
const SLICE_SESSIONS = 256;
const SLICE_ROWS = 2000;
const SLICE_REMOVALS = 200;
/** Taking the words of an entry out of the file takes about two milliseconds. */
const SLICE_TEXTS = 25;
const REMOVALS_AT_ONCE = 1000;
const PAGE_ENTRIES = 256;
/** A session that speaks all the time is written now and then, not with everything it says. */
const WRITE_EVERY_MS = 500;
/** An alert is told when it is in the tables, and should not wait for that. */
const TELL_EVERY_MS = 50;
const DUE_AT_ONCE = 200;

/** Brings the tables up to date with the ledger, in slices. One `follow`, `applyRemovals` or `checkTime` at a time. */
export class ViewFollower {
  readonly #options: FollowerOptions;
  readonly #sessions: SessionCache;
  readonly #draft: Draft;
  #heard: Alert[] = [];
  #timed: Alert[] = [];
  /** What the tables have seen. */
  #watermark: Watermark;
  /** What was folded, written or not. */
  #folded: Watermark;
  #writtenAt = 0;
  #isRefolding = false;
  /** Number of the last removal that was applied, though perhaps before its end was reached. */
  #appliedEarly = 0;
  #applied: number;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#sessions = new SessionCache(options.tables.sessions);
    this.#draft = new Draft(options.tables);
    this.#watermark = options.tables.watermark();
    this.#folded = this.#watermark;
    this.#applied = options.tables.removal;
  }

  /** Everything up to here is in the tables. */
  get position(): number {
    return this.#watermark.position;
  }

  /** When what was folded should be in the tables, in milliseconds from now; undefined when it is. */
  get writesInMs(): number | undefined {
    if (this.#folded === this.#watermark) return undefined;
    return Math.max(0, this.#writtenAt + (this.#heard.length > 0 ? TELL_EVERY_MS : WRITE_EVERY_MS) - performance.now());
  }

  /** Takes in what the ledger has, at least up to a position, unless it has to yield. */
  async follow(target: number): Promise<void> {
    const { ledger, signal, yields } = this.#options;
    while (this.#folded.position < target && !signal.aborted) {
      const head = await ledger.head();
      const { position } = this.#folded;
      const page = await ledger.read({ after: position, limit: PAGE_ENTRIES });
      // The entries at the very end may have been cut: then everything up to the head has been seen all the same.
      const upTo = page.upTo > position ? page.upTo : Math.max(head, position);
      await this.#take(page.entries, { position: upTo, receivedAt: null });
      if ((upTo >= head && head < target) || yields()) break; // asked for more than there is, or for something else first
    }
    if (this.#isDue() && !signal.aborted) this.#write();
  }

  /** Puts into the tables what was folded. */
  flush(): void {
    if (this.#folded !== this.#watermark || this.#sessions.dirty.length > 0) this.#write();
  }

  /**
   * Follows the ledger's removal log. What is removed leaves the tables at once; where the tables have not come to its end yet, it is
   * looked at once more when they have, since its entries may still be there to be read.
   */
  async applyRemovals(): Promise<void> {
    const { ledger, tables, signal } = this.#options;
    this.flush();
    for (let after = this.#applied, isKept = true; !signal.aborted; ) {
      const removals = await ledger.removals({ after, limit: REMOVALS_AT_ONCE });
      const last = removals.at(-1);
      if (last === undefined) return;
      const due = removals.filter(({ number, upTo }) => number > this.#appliedEarly || upTo <= this.position);
      for (const ofSession of Map.groupBy(due, ({ session }) => session.key).values()) await this.#refold(ofSession);
      if (signal.aborted) return;
      for (const { number, upTo } of removals) {
        isKept &&= upTo <= this.position;
        if (isKept) tables.removal = this.#applied = number;
      }
      this.#appliedEarly = Math.max(this.#appliedEarly, last.number);
      after = last.number;
    }
  }

  /** Whether a removal has to be looked at again. */
  get hasEarlyRemovals(): boolean {
    return this.#appliedEarly > this.#applied;
  }

  /**
   * Folds a session anew from what the ledger still has of it. Entries after the watermark are left for `follow`. What is old
   * leaves the log of the file in time; what somebody wants gone leaves it now.
   */
  async #refold(removals: readonly Removal[]): Promise<void> {
    const { ledger, tables, signal } = this.#options;
    const [first] = removals;
    if (first === undefined) return;
    const { session } = first;
    for (let more = true; more && !signal.aborted; await nextTurn()) {
      tables.transaction(() => {
        more = tables.removeSome(session.key, SLICE_REMOVALS);
      });
    }
    this.#sessions.forget(session.key);
    this.#draft.forget(); // copies of rows that are gone
    for (const removal of removals) await this.#forgetTexts(removal);
    this.#isRefolding = true;
    try {
      const isLeft = ({ position }: Entry) =>
        position <= this.position && removals.every((removal) => position <= removal.after || position > removal.upTo);
      for (let after = 0; after < this.position && !signal.aborted; ) {
        const page = await readArrived(ledger, session, after, PAGE_ENTRIES);
        await this.#take(page.filter(isLeft), this.#watermark);
        this.flush();
        const last = page.at(-1);
        if (last === undefined) break;
        after = last.position;
      }
    } finally {
      this.#isRefolding = false;
    }
    if (!signal.aborted && removals.some(({ reason }) => reason !== "pruned")) tables.emptyLog();
  }

  /** The texts of what is left stay as they are: adding them again would cost more than all the rest. */
  async #forgetTexts({ session, reason, upTo }: Removal): Promise<void> {
    const { tables, signal } = this.#options;
    if (reason === "erased") {
      tables.transaction(() => tables.search.removePosition(upTo));
      return;
    }
    for (let more = true; more && !signal.aborted; await nextTurn()) {
      tables.transaction(() => {
        more = tables.search.removeSession(session.key, SLICE_TEXTS, { upTo, securely: reason === "deleted" });
      });
    }
  }

  /** Raises what the passing of time alone makes true. Gives when to ask again; undefined when only an entry can bring news. */
  async checkTime(now: number, deafUntil: number | undefined): Promise<number | undefined> {
    const { tables, thresholds, signal } = this.#options;
    this.flush();
    const options = { thresholds, deafUntil };
    let next = tables.sessions.nextDueAfter(now);
    for (let after = { dueAt: Number.NEGATIVE_INFINITY, key: 0 }; !signal.aborted; await nextTurn()) {
      const due = tables.sessions.dueBy(now, after, DUE_AT_ONCE);
      for (const { key } of due) {
        const session = this.#sessions.find(key);
        if (session === undefined) continue;
        const raised = checkTime(session.state.watch, now, options);
        if (raised.length > 0) {
          this.#raise(session, raised, this.#timed);
          this.#sessions.touch(session);
        }
        const again = nextCheckAt(session.state.watch, options);
        if (again !== undefined && again > now && (next === undefined || again < next)) next = again;
      }
      this.flush();
      const last = due.at(-1);
      if (last === undefined || due.length < DUE_AT_ONCE) break;
      after = last;
    }
    return next;
  }

  /** What was folded and not written is forgotten, because writing failed: the tables say where to begin again. */
  reset(): void {
    this.#sessions.clear();
    this.#draft.forget();
    this.#clearNews();
    this.#watermark = this.#options.tables.watermark();
    this.#folded = this.#watermark;
  }

  async #take(entries: readonly Entry[], end: Watermark): Promise<void> {
    let index = 0;
    do {
      if (this.#options.signal.aborted) return;
      await nextTurn();
      const until = performance.now() + SLICE_MS;
      let last: Entry | undefined;
      while (index < entries.length && !this.#isFull() && performance.now() < until) {
        last = entries[index++];
        if (last !== undefined) this.#hear(last);
      }
      const isLast = index >= entries.length;
      const there = last === undefined ? null : { position: last.position, receivedAt: last.receivedAt };
      if (isLast) this.#fold(end.position === there?.position ? there : end);
      else if (there !== null) this.#fold(there);
      if (this.#isFull() || this.#isDue()) this.#write();
    } while (index < entries.length);
  }

  #isFull(): boolean {
    return this.#sessions.dirty.length >= SLICE_SESSIONS || this.#draft.rows >= SLICE_ROWS;
  }

  /** Entries that are folded anew stand before the mark, which stays. */
  #fold(watermark: Watermark): void {
    if (watermark.position > this.#folded.position) this.#folded = watermark;
  }

  #isDue(): boolean {
    if (this.#folded === this.#watermark && this.#sessions.dirty.length === 0) return false;
    const awaited = this.#options.awaited();
    if (awaited > this.position && awaited <= this.#folded.position) return true;
    return performance.now() - this.#writtenAt >= (this.#heard.length > 0 ? TELL_EVERY_MS : WRITE_EVERY_MS);
  }

  #hear(entry: Entry): void {
    if (entry.session === "" || entry.source === HUB_SOURCE) return; // what people set is no session of an agent
    const value = jsonOf(entry);
    // It must not keep the others from being seen.
    if (value === undefined) this.#leaveOut(entry, "its text is no JSON object");
    else this.#understand(entry, value);
  }

  #understand(entry: Entry, value: JsonObject): void {
    const { position, receivedAt, session: id, agent, type, kind, sequence } = entry;
    const activities = activitiesOf(entry, value);
    const texts = this.#isRefolding ? [] : searchTexts(activities);
    const heard = hearingOf(entry, activities);
    const session = this.#sessions.of(entry);
    const { state, name } = session;
    foldHeard(state.fold, heard, id);
    this.#draft.hear(session, heard);
    if (state.collector !== undefined && kind === "event") {
      foldCollectorEvent(state.collector, { receivedAt, session: id, agent, type, sequence, value });
    }
    if (texts.length > 0) this.#draft.addText({ position, session: name.key, agent, type, receivedAt, texts });
    this.#raise(session, hearEntry(state.watch, heard, this.#options.thresholds), this.#heard);
    this.#sessions.touch(session);
  }

  #leaveOut({ position }: Entry, why: string): void {
    this.#options.log(`The entry at position ${position} is left out of the session views: ${why}.`);
  }

  /** One that was late is kept, and is no news. */
  #raise({ name, state }: CachedSession, raised: readonly Raised[], news: Alert[]): void {
    for (const { type, severity, message, position, at, rule, late } of raised) {
      const alert: Alert = {
        number: alertNumber(type, position),
        type,
        severity,
        message,
        session: name.key,
        sessionId: name.id,
        protocol: name.protocol,
        source: name.source,
        agent: state.fold.agents[0] ?? "",
        position,
        at: Math.round(at),
        ...(rule === undefined ? {} : { rule }),
      };
      state.fold.alerts++;
      this.#draft.addAlert(alert);
      if (late !== true) news.push(alert);
    }
  }

  #write(): void {
    const { tables, thresholds, onStep } = this.#options;
    const watermark = this.#folded;
    tables.transaction(() => {
      for (const { name, state } of this.#sessions.dirty) tables.sessions.save(name, state, nextCheckAt(state.watch, { thresholds }));
      this.#draft.write();
      if (watermark.position > this.position) tables.setWatermark(watermark);
    });
    this.#draft.settle();
    this.#watermark = watermark;
    this.#writtenAt = performance.now();
    const news = { heard: this.#heard, timed: this.#timed };
    this.#sessions.settle();
    this.#clearNews();
    onStep(news);
  }

  #clearNews(): void {
    this.#heard = [];
    this.#timed = [];
  }
}
