import { setImmediate as nextTurn } from "node:timers/promises";
import { isObject, type JsonObject, payloadOf } from "@earshot/protocol";
import type { CutReason, Entry, Ledger } from "../ledger/ledger.ts";
import { openWatch, watchEvent } from "./aop-alerts.ts";
import { foldEvent, type HeardEvent, openSessionFold } from "./aop-session.ts";
import type { LiveSession, RaisedAlert, SessionName, Spawn, ViewTables, Watermark } from "./view-tables.ts";

export interface FollowerOptions {
  readonly ledger: Ledger;
  readonly tables: ViewTables;
  readonly log: (line: string) => void;
  /** Whether somebody waits for the tables: then they are written at once. */
  readonly isAwaited: () => boolean;
  /** After what it tells is in the tables. */
  readonly onStep: (alerts: readonly RaisedAlert[]) => void;
  /** Says that it must stop between two slices. */
  readonly signal: AbortSignal;
}

/** Nothing else can be done while a slice is folded; it ends when this time is over, or that much is to be written. */
const SLICE_MS = 4;
const SLICE_SESSIONS = 256;
const SLICE_REMOVALS = 200;
const PAGE_ENTRIES = 512;
/** A session that speaks all the time is written now and then, not with everything it says. */
const WRITE_EVERY_MS = 500;
/** How many sessions are kept at hand. The others are taken up from the tables when they are heard from again. */
const LIVE_SESSIONS = 1000;
const MAX_ID = 256;

/** Brings the tables up to date with the ledger, in slices that nobody notices. One `follow` or `refold` at a time. */
export class ViewFollower {
  readonly #options: FollowerOptions;
  /** The one heard from last stands last. */
  readonly #live = new Map<string, LiveSession>();
  #alerts: RaisedAlert[] = [];
  #spawns: Spawn[] = [];
  #dirty: LiveSession[] = [];
  /** What the tables have seen. */
  #watermark: Watermark;
  /** What was folded, written or not. */
  #folded: Watermark;
  #writtenAt = 0;

  constructor(options: FollowerOptions) {
    this.#options = options;
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
    return Math.max(0, this.#writtenAt + WRITE_EVERY_MS - performance.now());
  }

  /** Takes in what the ledger has, at least up to a position. */
  async follow(target: number): Promise<void> {
    const { ledger, signal } = this.#options;
    while (this.#folded.position < target && !signal.aborted) {
      const head = await ledger.head();
      const { position } = this.#folded;
      const page = await ledger.read({ after: position, limit: PAGE_ENTRIES, filter: { protocol: ["aop"] } });
      // The entries at the very end may have been cut: then everything up to the head has been seen all the same.
      const upTo = page.upTo > position ? page.upTo : Math.max(head, position);
      await this.#take(page.entries, { position: upTo, receivedAt: null });
      if (upTo >= head && head < target) break; // asked for more than there is
    }
    if (this.#isDue() && !signal.aborted) this.#write();
  }

  /** Puts into the tables what was folded. */
  flush(): void {
    if (this.#folded !== this.#watermark) this.#write();
  }

  /**
   * Folds a session anew from what the ledger still has of it. Entries after the watermark are left for `follow`. The mark
   * stays until all is done, so that a hub that stops half-way begins again. What is old leaves the log in time; what somebody
   * wants gone leaves it now.
   */
  async refold(session: SessionName, reason: CutReason): Promise<void> {
    const { ledger, tables, signal } = this.#options;
    const { source, id } = session;
    this.flush();
    for (let more = true; more && !signal.aborted; await nextTurn()) {
      tables.transaction(() => {
        more = tables.removeSome(session, SLICE_REMOVALS);
      });
    }
    this.#live.delete(keyOf(source, id));
    let after = 0;
    while (after < this.position && (await this.#isLeft(session)) && !signal.aborted) {
      const page = await ledger.read({ after, limit: PAGE_ENTRIES, filter: { protocol: ["aop"], session: id } });
      const entries = page.entries.filter((entry) => entry.source === source && entry.position <= this.position);
      await this.#take(entries, this.#watermark);
      this.#write();
      if (page.upTo <= after) break;
      after = page.upTo;
    }
    if (signal.aborted) return;
    tables.finishCut(session);
    if (reason !== "pruned") tables.emptyLog();
  }

  /** What was folded and not written is forgotten, because writing failed: the tables say where to begin again. */
  reset(): void {
    this.#live.clear();
    this.#clearSlice();
    this.#watermark = this.#options.tables.watermark();
    this.#folded = this.#watermark;
  }

  async #isLeft(session: SessionName): Promise<boolean> {
    const { ledger } = this.#options;
    const known = (await ledger.findSessions(session.id, "aop")).find(({ source }) => source === session.source);
    return known !== undefined && (await ledger.readSession({ session: known, limit: 1 })).entries.length > 0;
  }

  async #take(entries: readonly Entry[], end: Watermark): Promise<void> {
    let index = 0;
    do {
      if (this.#options.signal.aborted) return;
      await nextTurn();
      const until = performance.now() + SLICE_MS;
      let last: Entry | undefined;
      while (index < entries.length && this.#dirty.length < SLICE_SESSIONS && performance.now() < until) {
        last = entries[index++];
        if (last !== undefined) this.#hear(last);
      }
      const isLast = index >= entries.length;
      const there = last === undefined ? null : { position: last.position, receivedAt: last.receivedAt };
      if (isLast) this.#fold(end.position === there?.position ? there : end);
      else if (there !== null) this.#fold(there);
      if (this.#dirty.length >= SLICE_SESSIONS || this.#isDue()) this.#write();
    } while (index < entries.length);
  }

  /** Entries that are folded anew stand before the mark, which stays. */
  #fold(watermark: Watermark): void {
    if (watermark.position > this.#folded.position) this.#folded = watermark;
  }

  #isDue(): boolean {
    if (this.#folded === this.#watermark && this.#dirty.length === 0) return false;
    return this.#alerts.length > 0 || this.#options.isAwaited() || performance.now() - this.#writtenAt >= WRITE_EVERY_MS;
  }

  #hear(entry: Entry): void {
    if (entry.kind !== "event" || entry.session === "") return;
    const value = this.#parse(entry);
    if (value === undefined) return;
    const session = this.#sessionOf(entry);
    const event = { ...placeOf(entry), value };
    foldEvent(session.fold, event);
    const alert = watchEvent(session.watch, event);
    if (alert !== undefined) this.#alerts.push({ position: entry.position, source: entry.source, alert });
    if (entry.type === "operation.agent_spawn") this.#hearSpawn(entry, value);
    if (session.dirty) return;
    session.dirty = true;
    this.#dirty.push(session);
  }

  #parse({ text, position, value: known }: Entry): JsonObject | undefined {
    if (known !== undefined) return known;
    try {
      const value: unknown = JSON.parse(text);
      if (isObject(value)) return value;
    } catch {
      // Told below.
    }
    // A damaged entry is the ledger's to tell of. It must not keep the others from being seen.
    this.#options.log(`The entry at position ${position} is left out of the session views: its text is no JSON object.`);
    return undefined;
  }

  #hearSpawn({ source, session }: Entry, value: JsonObject): void {
    const child = payloadOf(value)["child_session_id"];
    if (typeof child !== "string" || child === "" || child.length > MAX_ID || child === session) return;
    this.#spawns.push({ source, parent: session, child });
  }

  #sessionOf({ source, session: id }: Entry): LiveSession {
    const key = keyOf(source, id);
    const known = this.#live.get(key);
    if (known !== undefined) {
      if (!known.dirty) {
        this.#live.delete(key);
        this.#live.set(key, known);
      }
      return known;
    }
    const session = this.#options.tables.load(source, id) ?? {
      source,
      id,
      fold: openSessionFold(),
      watch: openWatch(),
      dirty: false,
    };
    this.#live.set(key, session);
    return session;
  }

  #write(): void {
    const { tables, onStep } = this.#options;
    const watermark = this.#folded;
    tables.transaction(() => {
      for (const session of this.#dirty) tables.save(session);
      for (const alert of this.#alerts) tables.addAlert(alert);
      for (const spawn of this.#spawns) tables.addSpawn(spawn);
      if (watermark.position > this.position) tables.setWatermark(watermark);
    });
    this.#watermark = watermark;
    this.#writtenAt = performance.now();
    const alerts = this.#alerts;
    this.#clearSlice();
    for (const key of this.#live.keys()) {
      if (this.#live.size <= LIVE_SESSIONS) break;
      this.#live.delete(key);
    }
    onStep(alerts);
  }

  #clearSlice(): void {
    for (const session of this.#dirty) session.dirty = false;
    this.#dirty = [];
    this.#alerts = [];
    this.#spawns = [];
  }
}

function placeOf({ position, receivedAt, session, agent, type, sequence }: Entry): Omit<HeardEvent, "value"> {
  return { position, receivedAt, session, agent, type, sequence };
}

/** Names of sources hold no line breaks; whatever follows the first one is the id. */
function keyOf(source: string, id: string): string {
  return `${source}\n${id}`;
}
