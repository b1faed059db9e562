import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { JsonObject } from "@earshot/protocol";
import type { Entry } from "../ledger/ledger.ts";
import { HUB_SOURCE } from "../own-source.ts";
import { alertNumber } from "./alert-table.ts";
import type { AlertThresholds } from "./alerts/thresholds.ts";
import { checkTime, hearEntry, nextCheckAt, openWatch, type Raised } from "./alerts/watch.ts";
import { type SessionFold as AopFold, foldEvent, openSessionFold as openAopFold } from "./aop-session.ts";
import { Courtesy } from "./courtesy.ts";
import { Draft } from "./draft.ts";
import type { SessionName } from "./heard.ts";
import { openJoining } from "./joining.ts";
import { type LedgerReading, readArrived } from "./ledger-reading.ts";
import { activitiesOf, hearingOf, jsonOf } from "./read-entry.ts";
import { searchTexts } from "./search/search-texts.ts";
import { foldHeard, openSessionFold } from "./session-fold.ts";
import type { SessionState } from "./session-table.ts";
import type { AnnouncedCut, ViewTables, Watermark } from "./view-tables.ts";
import type { Alert } from "./views.ts";

export interface FollowerOptions {
  readonly ledger: LedgerReading;
  readonly tables: ViewTables;
  readonly thresholds: AlertThresholds;
  readonly log: (line: string) => void;
  /** Up to where somebody waits for the tables: they are written as soon as it is folded. */
  readonly awaited: () => number;
  /** Whether somebody waits for a session to be folded anew: following goes on afterwards. */
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

/** A session as the follower holds it: folded, not yet written where `dirty`. */
interface LiveSession {
  readonly name: SessionName;
  readonly state: SessionState;
  readonly aop: AopFold | undefined;
  dirty: boolean;
}

/** Nobody is asked and nothing else is done while a slice is folded; it ends when this time is over, or that much is to be written. */
const SLICE_MS = 8;
const SLICE_SESSIONS = 256;
const SLICE_ROWS = 2000;
const SLICE_REMOVALS = 200;
const PAGE_ENTRIES = 256;
const FEW_ENTRIES = 32;
/** A session that speaks all the time is written now and then, not with everything it says. */
const WRITE_EVERY_MS = 500;
/** An alert is told when it is in the tables, and should not wait for that. */
const TELL_EVERY_MS = 50;
/** How many sessions are kept at hand. The others are taken up from the tables when they are heard from again. */
const LIVE_SESSIONS = 500;
const DUE_AT_ONCE = 200;
/** How long somebody who has begun to wait may be kept waiting by a rest. */
const REST_MS = 25;

/** Brings the tables up to date with the ledger, in slices. One `follow`, `refold` or `checkTime` at a time. */
export class ViewFollower {
  readonly #options: FollowerOptions;
  /** The one heard from last stands last. */
  readonly #live = new Map<number, LiveSession>();
  readonly #draft: Draft;
  readonly #courtesy = new Courtesy();
  #heard: Alert[] = [];
  #timed: Alert[] = [];
  #dirty: LiveSession[] = [];
  /** What the tables have seen. */
  #watermark: Watermark;
  /** What was folded, written or not. */
  #folded: Watermark;
  #writtenAt = 0;
  #isRefolding = false;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#draft = new Draft(options.tables);
    this.#watermark = options.tables.watermark();
    this.#folded = this.#watermark;
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
      const began = performance.now();
      const head = await ledger.head();
      const { position } = this.#folded;
      const page = await ledger.read({ after: position, limit: this.#courtesy.takesLittle(began) ? FEW_ENTRIES : PAGE_ENTRIES });
      // The entries at the very end may have been cut: then everything up to the head has been seen all the same.
      const upTo = page.upTo > position ? page.upTo : Math.max(head, position);
      await this.#take(page.entries, { position: upTo, receivedAt: null });
      if ((upTo >= head && head < target) || yields()) break; // asked for more than there is, or for something else first
      const now = performance.now();
      await this.#rest(this.#courtesy.restMs(head, now, now - began));
    }
    if (this.#isDue() && !signal.aborted) this.#write();
  }

  /** Not while somebody waits for what is next. */
  async #rest(forMs: number): Promise<void> {
    const { awaited, yields, signal } = this.#options;
    for (let left = forMs; left >= 1 && awaited() <= this.#folded.position && !yields() && !signal.aborted; left -= REST_MS) {
      if (this.#isDue()) this.#write();
      await pause(Math.min(left, REST_MS), undefined, { signal }).catch(() => {}); // told to stop, which is looked at next
    }
  }

  /** Puts into the tables what was folded. */
  flush(): void {
    if (this.#folded !== this.#watermark || this.#dirty.length > 0) this.#write();
  }

  /**
   * Folds a session anew from what the ledger still has of it. Entries after the watermark are left for `follow`. The mark
   * stays until all is done, so that a hub that stops half-way begins again. What is old leaves the log in time; what somebody
   * wants gone leaves it now.
   */
  async refold(cut: AnnouncedCut): Promise<void> {
    const { ledger, tables, signal } = this.#options;
    this.flush();
    for (let more = true; more && !signal.aborted; await nextTurn()) {
      tables.transaction(() => {
        more = tables.removeSome(cut.key, SLICE_REMOVALS);
      });
    }
    this.#live.delete(cut.key);
    this.#draft.forget(); // copies of rows that are gone
    await this.#forgetTexts(cut);
    this.#isRefolding = true;
    try {
      for (let after = 0; after < this.position && !signal.aborted; ) {
        const page = await readArrived(ledger, cut, after, PAGE_ENTRIES);
        await this.#take(
          page.filter(({ position }) => position <= this.position),
          this.#watermark,
        );
        this.flush();
        const last = page.at(-1);
        if (last === undefined) break;
        after = last.position;
      }
    } finally {
      this.#isRefolding = false;
    }
    if (signal.aborted) return;
    tables.finishCut(cut);
    if (cut.reason !== "pruned") tables.emptyLog();
  }

  /** The texts of what is left stay as they are: adding them again would cost more than all the rest. */
  async #forgetTexts(cut: AnnouncedCut): Promise<void> {
    const { ledger, tables, signal } = this.#options;
    if (cut.reason === "erased") {
      const [entry] = (await ledger.read({ after: cut.upTo - 1, limit: 1 })).entries;
      if (entry?.position !== cut.upTo) tables.transaction(() => tables.search.removePosition(cut.upTo));
      return;
    }
    // Sessions are cut from their beginning.
    const [first] = await readArrived(ledger, cut, 0, 1);
    const upTo = first === undefined ? Number.MAX_SAFE_INTEGER : first.position - 1;
    for (let more = true; more && !signal.aborted; await nextTurn()) {
      tables.transaction(() => {
        more = tables.search.removeSession(cut.key, SLICE_REMOVALS, upTo);
        if (cut.reason === "deleted") tables.purgeIsDue = true;
      });
    }
  }

  /** Takes the words of what was removed out of the file, a step at a time. Says whether there is more. */
  purge(): boolean {
    const { tables } = this.#options;
    let more = false;
    tables.transaction(() => {
      more = tables.search.purge();
      if (!more) tables.purgeIsDue = false;
    });
    return more;
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
        const session = this.#takeUp(key);
        if (session === undefined) continue;
        const raised = checkTime(session.state.watch, now, options);
        if (raised.length > 0) {
          this.#raise(session, raised, this.#timed);
          this.#touch(session);
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
    this.#live.clear();
    this.#draft.forget();
    this.#clearSlice();
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
    return this.#dirty.length >= SLICE_SESSIONS || this.#draft.rows >= SLICE_ROWS;
  }

  /** Entries that are folded anew stand before the mark, which stays. */
  #fold(watermark: Watermark): void {
    if (watermark.position > this.#folded.position) this.#folded = watermark;
  }

  #isDue(): boolean {
    if (this.#folded === this.#watermark && this.#dirty.length === 0) return false;
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
    const session = this.#sessionOf(entry);
    const { state, name } = session;
    foldHeard(state.fold, heard, id);
    this.#draft.hear(session, heard);
    if (session.aop !== undefined && kind === "event") {
      foldEvent(session.aop, { position, receivedAt, session: id, agent, type, sequence, value });
    }
    if (texts.length > 0) this.#draft.addText({ position, session: name.key, agent, type, receivedAt, texts });
    this.#raise(session, hearEntry(state.watch, heard, this.#options.thresholds), this.#heard);
    this.#touch(session);
  }

  #leaveOut({ position }: Entry, why: string): void {
    this.#options.log(`The entry at position ${position} is left out of the session views: ${why}.`);
  }

  /** One that was late is kept, and is no news. */
  #raise({ name, state }: LiveSession, raised: readonly Raised[], news: Alert[]): void {
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

  #touch(session: LiveSession): void {
    if (session.dirty) return;
    session.dirty = true;
    this.#dirty.push(session);
  }

  #sessionOf({ sessionKey: key, protocol, source, session: id }: Entry): LiveSession {
    const known = this.#takeUp(key);
    if (known !== undefined) return known;
    const state = { fold: openSessionFold(), joining: openJoining(), watch: openWatch() };
    const session = { name: { key, protocol, source, id }, state, aop: protocol === "aop" ? openAopFold() : undefined, dirty: false };
    this.#live.set(key, session);
    return session;
  }

  #takeUp(key: number): LiveSession | undefined {
    const known = this.#live.get(key);
    if (known !== undefined) {
      if (!known.dirty) {
        this.#live.delete(key);
        this.#live.set(key, known);
      }
      return known;
    }
    const { tables } = this.#options;
    const loaded = tables.sessions.load(key);
    if (loaded === undefined) return undefined;
    const aop = loaded.name.protocol === "aop" ? (tables.aop.load(key) ?? openAopFold()) : undefined;
    const session = { ...loaded, aop, dirty: false };
    this.#live.set(key, session);
    return session;
  }

  #write(): void {
    const { tables, thresholds, onStep } = this.#options;
    const watermark = this.#folded;
    tables.transaction(() => {
      for (const { name, state, aop } of this.#dirty) {
        tables.sessions.save(name, state, nextCheckAt(state.watch, { thresholds }));
        if (aop !== undefined) tables.aop.save(name, aop);
      }
      this.#draft.write();
      if (watermark.position > this.position) tables.setWatermark(watermark);
    });
    this.#draft.settle();
    this.#watermark = watermark;
    this.#writtenAt = performance.now();
    const news = { heard: this.#heard, timed: this.#timed };
    this.#clearSlice();
    for (const key of this.#live.keys()) {
      if (this.#live.size <= LIVE_SESSIONS) break;
      this.#live.delete(key);
    }
    onStep(news);
  }

  #clearSlice(): void {
    for (const session of this.#dirty) session.dirty = false;
    this.#dirty = [];
    this.#heard = [];
    this.#timed = [];
  }
}
