import { setImmediate as nextTurn } from "node:timers/promises";
import { HUB_SOURCE } from "../home.ts";
import type { LedgerEntry, LoggedRemoval } from "../ledger/ledger.ts";
import { alertNumber } from "./alert-table.ts";
import type { AlertThresholds } from "./alerts/detector.ts";
import { applyEntry, checkAlertTimes, nextCheckAt, type RaisedBySession } from "./alerts/watch.ts";
import type { Alert } from "./api.ts";
import { foldCollectorEvent } from "./collector-facts.ts";
import { type FoldedSession, ViewDraft } from "./draft.ts";
import { activitiesOf, jsonOf, type LedgerReading, readEntriesAfter, toViewEntry } from "./ledger-reading.ts";
import { searchTexts } from "./search/search-texts.ts";
import { foldEntry } from "./session-fold.ts";
import type { ViewTables, Watermark } from "./view-tables.ts";

export interface FollowerOptions {
  readonly ledger: LedgerReading;
  readonly tables: ViewTables;
  readonly thresholds: AlertThresholds;
  readonly log: (line: string) => void;
  /** Called after each write with the alerts now in the tables. */
  readonly onWrite: (news: NewAlerts) => void;
  /** Stops the work between two pages. */
  readonly signal: AbortSignal;
}

/** New alerts: entry-based ones in the order of the entries, time-based ones in any order. */
export interface NewAlerts {
  readonly raised: readonly Alert[];
  readonly timed: readonly Alert[];
}

/** Queries are answered between two pages. */
const PAGE_ENTRIES = 128;
const MAX_DRAFT_ROWS = 2000;
const REMOVED_ROWS_AT_ONCE = 200;
/** Removing an entry's text from the file takes about two milliseconds. */
const REMOVED_TEXTS_AT_ONCE = 25;
const REMOVALS_AT_ONCE = 1000;
const DUE_AT_ONCE = 200;

/** Brings the tables up to date with the ledger, one page at a time. Its asynchronous methods must not overlap. */
export class ViewFollower {
  readonly #options: FollowerOptions;
  readonly #draft: ViewDraft;
  #raised: Alert[] = [];
  #timed: Alert[] = [];
  /** The last position in the tables. */
  #written: Watermark;
  /** The last folded position. */
  #folded: Watermark;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#draft = new ViewDraft(options.tables);
    this.#written = options.tables.watermark();
    this.#folded = this.#written;
  }

  get position(): number {
    return this.#written.position;
  }

  /** Folds the next page of the ledger. Returns whether there may be more up to the target. */
  async followPage(target: number): Promise<boolean> {
    const { ledger } = this.#options;
    const { position } = this.#folded;
    if (position >= target) return false;
    const head = await ledger.head();
    const { entries, upTo } = await ledger.read({ after: position, limit: PAGE_ENTRIES });
    for (const entry of entries) this.#foldEntry(entry, true);
    const last = entries.at(-1);
    // The last entries may have been removed: an empty page means that everything up to the head was read.
    if (upTo <= position) this.#folded = { position: Math.max(head, position), receivedAt: null };
    else this.#folded = { position: upTo, receivedAt: last?.position === upTo ? last.receivedAt : null };
    if (this.#draft.rows >= MAX_DRAFT_ROWS) this.#write();
    await nextTurn();
    return this.#folded.position < Math.min(target, head);
  }

  /** Writes the folded changes. */
  flush(): void {
    if (this.#folded !== this.#written || this.#draft.rows > 0) this.#write();
  }

  /**
   * Follows the ledger's removal log: sessions that lost entries are folded again. The ledger hides entries as soon as it logs a removal.
   */
  async applyRemovals(): Promise<void> {
    const { ledger, tables, signal } = this.#options;
    while (!signal.aborted) {
      const removals = await ledger.removals({ after: tables.removal, limit: REMOVALS_AT_ONCE });
      const last = removals.at(-1);
      if (last === undefined) return;
      this.flush();
      for (const ofSession of Map.groupBy(removals, ({ session }) => session.key).values()) await this.#refold(ofSession);
      if (!signal.aborted) tables.removal = last.number;
    }
  }

  /** Folds a session again from its remaining entries, up to the watermark. Their texts stay in the search index. */
  async #refold(removals: readonly LoggedRemoval[]): Promise<void> {
    const { ledger, tables, signal } = this.#options;
    const [first] = removals;
    if (first === undefined) return;
    const { session } = first;
    await this.#inSteps(() => tables.removeSome(session.key, REMOVED_ROWS_AT_ONCE));
    for (const removal of removals) await this.#removeTexts(removal);
    for (let after = 0; after < this.position && !signal.aborted; ) {
      const page = await readEntriesAfter(ledger, session, after, PAGE_ENTRIES);
      for (const entry of page) if (entry.position <= this.position) this.#foldEntry(entry, false);
      this.flush();
      await nextTurn();
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.position;
    }
    // The file's WAL still holds the deleted text. Pruned entries leave it over time; deletions by a person leave it now.
    if (!signal.aborted && removals.some(({ reason }) => reason !== "pruned")) tables.emptyLog();
  }

  async #removeTexts({ session, reason, upTo }: LoggedRemoval): Promise<void> {
    const { search } = this.#options.tables;
    await this.#inSteps(() => {
      if (reason !== "erased") return search.removeSession(session.key, REMOVED_TEXTS_AT_ONCE, { upTo, securely: reason === "deleted" });
      search.removePosition(upTo);
      return false;
    });
  }

  /** Repeats a step, each in a transaction and turn of its own, until it returns false. */
  async #inSteps(step: () => boolean): Promise<void> {
    const { tables, signal } = this.#options;
    for (let more = true; more && !signal.aborted; await nextTurn()) {
      tables.transaction(() => {
        more = step();
      });
    }
  }

  /** Raises due time-based alerts. Returns when to check again; undefined when only an entry can raise one. */
  async checkTime(now: number, deafUntil: number | undefined): Promise<number | undefined> {
    const { tables, thresholds, signal } = this.#options;
    this.flush();
    const options = { thresholds, deafUntil };
    let next = tables.sessions.nextDueAfter(now);
    for (let after = { dueAt: Number.NEGATIVE_INFINITY, key: 0 }; !signal.aborted; await nextTurn()) {
      const due = tables.sessions.dueBy(now, after, DUE_AT_ONCE);
      for (const { key } of due) {
        const session = tables.sessions.load(key);
        if (session === undefined) continue;
        const raised = checkAlertTimes(session.state.watch, now, options);
        if (raised.length > 0) {
          this.#raise(session, raised, this.#timed);
          this.#draft.addSession(session);
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

  /** Discards folded changes after a failed write; the tables hold the position to resume from. */
  reset(): void {
    this.#draft.clear();
    this.#clearNews();
    this.#written = this.#options.tables.watermark();
    this.#folded = this.#written;
  }

  #foldEntry(entry: LedgerEntry, isNew: boolean): void {
    if (entry.session === "" || entry.source === HUB_SOURCE) return; // settings of people belong to no agent's session
    const value = jsonOf(entry);
    if (value === undefined) {
      // One damaged entry must not hide the others.
      this.#options.log(`The entry at position ${entry.position} is left out of the session views: its text is no JSON object.`);
      return;
    }
    const { position, receivedAt, session: id, agent, type, kind, sequence } = entry;
    const activities = activitiesOf(entry, value);
    const read = toViewEntry(entry, activities);
    const session = this.#draft.sessionOf(entry);
    const { state, name } = session;
    foldEntry(state.fold, read, id);
    this.#draft.fold(session, read);
    if (state.collector !== undefined && kind === "event") {
      foldCollectorEvent(state.collector, { receivedAt, session: id, agent, type, sequence, value });
    }
    const texts = isNew ? searchTexts(activities) : [];
    if (texts.length > 0) this.#draft.addText({ position, session: name.key, agent, type, receivedAt, texts });
    this.#raise(session, applyEntry(state.watch, read, this.#options.thresholds), this.#raised);
  }

  #raise({ name, state }: FoldedSession, raised: readonly RaisedBySession[], news: Alert[]): void {
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
    const { tables, thresholds, onWrite } = this.#options;
    const watermark = this.#folded;
    tables.transaction(() => {
      this.#draft.write(thresholds);
      if (watermark.position > this.position) tables.setWatermark(watermark);
    });
    this.#draft.clear();
    this.#written = watermark;
    const news = { raised: this.#raised, timed: this.#timed };
    this.#clearNews();
    onWrite(news);
  }

  #clearNews(): void {
    this.#raised = [];
    this.#timed = [];
  }
}
