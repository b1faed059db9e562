import type { RedactionMark, Submission } from "@earshot/judge";
import type { Problem, ProtocolName } from "@earshot/protocol";
import type { RequestDecision, RequestQuery, SettleVerdict, StoredRequest } from "../request.ts";
import type { Flag, Verdict } from "../verdict.ts";

export type {
  EntryPlacing,
  EventLifecycle,
  EventSource,
  JudgedPart,
  Judgement,
  OpaqueSessionState,
  RedactionMark,
  Submission,
} from "@earshot/judge";

/**
 * The durable, append-only record of events and decisions. The contract fits any store: it is asynchronous and promises nothing that only
 * a single process could.
 *
 * - A fulfilled promise means that its effect is on disk.
 *
 * - Positions strictly increase in the order in which entries become visible: reading up to `n` and then what follows `n` neither misses
 * nor repeats anything. They may have gaps.
 *
 * - No call blocks others for long: unbounded data is read in pages bounded in rows and bytes.
 *
 * - If the store cannot be written, calls reject with an `EarshotError` (`STORAGE_FULL`, `LEDGER_UNAVAILABLE`), nothing of the batch is
 * stored, and later calls may succeed again.
 */
export interface Ledger extends AsyncDisposable {
  /**
   * Stores what can be stored and returns one verdict per submission, in order. One transaction holds the entry, its identity for
   * recognizing redelivery, its link in the session's chain, the session's lifecycle, and the request it opens. A refused or unjudgeable
   * submission never aborts the others. Submissions of a batch are taken in order; between batches the order is that of the calls.
   */
  append(batch: readonly Submission[]): Promise<readonly Verdict[]>;
  /**
   * Compare and set: a settlement ends a request, an amendment moves its deadline; either finds it open or is late. Every decision about
   * an existing request becomes an entry of its session: effective ones, late ones, and those about something other than was shown.
   */
  settle(decision: RequestDecision): Promise<SettleVerdict>;
  /** Stores refused events in a bounded log, oldest dropped first. Durable soon, not at once. */
  refuse(refusals: readonly RefusedEvent[]): void;
  /** Counts events that could not be stored, such as those sent during overload. */
  count(what: string, source: string, howMany: number): void;

  /** The highest visible position; 0 if there is none. */
  head(): Promise<number>;
  /** Entries after a position, in order of position. */
  read(query: EntryQuery): Promise<EntryPage>;
  /** Entries of one session in its own order: AOP by sequence, then arrival; the others by arrival. */
  readSession(query: SessionQuery): Promise<SessionPage>;
  /** Sessions with an id; several sources may use the same one. */
  findSessions(id: string, protocol?: ProtocolName): Promise<readonly SessionInfo[]>;
  requests(query: RequestQuery): Promise<readonly StoredRequest[]>;
  refused(query: { readonly before?: number; readonly limit: number }): Promise<readonly KeptRefusal[]>;
  counts(): Promise<readonly RefusalCount[]>;

  /**
   * Removes the entries of a session up to and including a position (all without one), and leaves a signed tombstone with the removed
   * head. Works in small steps; fulfills at the end with the number of removed entries.
   */
  cut(session: SessionInfo, reason: CutReason, upTo?: number): Promise<number>;
  /**
   * Removes the text of one entry beyond recovery, with its flags and copies of its parts. Time, agent and type stay, with a digest for
   * recognizing redelivery; reads leave it out. A signed tombstone records it. Returns whether there was a text to remove; rejects with
   * `NOT_FOUND` without such an entry.
   */
  erase(position: number): Promise<boolean>;
  /**
   * The removal log: every cut and erasure, oldest first. A removal is logged before its first entry is gone, and stays there. Holders of
   * copies remember the last applied removal's number and ask for later ones.
   */
  removals(query: RemovalQuery): Promise<readonly LoggedRemoval[]>;
  /** The store's size. */
  space(): Promise<DiskSpace>;
  /** Returns freed space to the system in small steps. Fulfills with the number of bytes. */
  giveBack(): Promise<number>;
  /**
   * Wakes a listener with the new head after entries became visible. A removal wakes it with the unchanged head: when it is logged, and
   * when its entries are gone. Returns the function that stops it.
   */
  follow(wake: (head: number) => void): () => void;
  close(): Promise<void>;
}

export type CutReason = "deleted" | "pruned" | "erased";

export interface RemovalQuery {
  /** Number of the last known removal; 0 for none. */
  readonly after: number;
  readonly limit: number;
}

/** A logged removal. */
export interface LoggedRemoval {
  /** 1, 2, 3 and so on, without gaps. */
  readonly number: number;
  /** Unix milliseconds. */
  readonly at: number;
  readonly session: SessionInfo;
  readonly reason: CutReason;
  /** Entries of the session after this position … */
  readonly after: number;
  /** … up to and including this one. For `erased`, the one entry whose text was removed. */
  readonly upTo: number;
}

export interface DiskSpace {
  readonly fileBytes: number;
  /** Free space: removed and not reused yet. */
  readonly freeBytes: number;
}

/** A stored entry. */
export interface LedgerEntry {
  readonly position: number;
  readonly receivedAt: number;
  readonly protocol: ProtocolName;
  readonly source: string;
  readonly verified: boolean;
  readonly session: string;
  /** The session's key in this ledger: `SessionInfo.key`. */
  readonly sessionKey: number;
  /** `settle` writes `decision` and `late-decision`; the latter had no effect. */
  readonly kind: "event" | "message" | "decision" | "late-decision";
  readonly agent: string;
  readonly type: string;
  readonly sequence: number | null;
  /** The original JSON, possibly with line breaks between tokens. */
  readonly text: string;
  readonly flags: readonly Flag[];
  readonly redactions: readonly RedactionMark[];
  /** It was imported. */
  readonly isHistory?: true;
}

export interface EntryQuery {
  readonly after: number;
  readonly limit: number;
  readonly filter?: EntryFilter;
}

/** All given members must match; within one member, any value. */
export interface EntryFilter {
  readonly protocol?: readonly ProtocolName[];
  readonly session?: string;
  /** A trailing `*` matches any ending. */
  readonly type?: readonly string[];
  readonly agent?: string;
}

export interface EntryPage {
  readonly entries: readonly LedgerEntry[];
  /** Everything up to here was considered: read on after it. Equals `after` if there is nothing more yet. */
  readonly upTo: number;
}

export interface SessionQuery {
  readonly session: SessionInfo;
  /** From the previous page; left out for the first. */
  readonly after?: SessionCursor;
  /** Instead of `after`: reads backward the entries before this place, latest first. */
  readonly before?: SessionCursor;
  readonly limit: number;
}

export interface SessionCursor {
  readonly ordinal: number;
  readonly position: number;
}

export interface SessionPage {
  readonly entries: readonly LedgerEntry[];
  /** Undefined on the last page. */
  readonly next: SessionCursor | undefined;
}

export interface SessionInfo {
  readonly key: number;
  readonly protocol: ProtocolName;
  readonly source: string;
  readonly id: string;
}

export interface RefusedEvent {
  readonly receivedAt: number;
  readonly source: string;
  readonly problem: Problem;
  /** The beginning of the sent text, with secrets masked. */
  readonly text: string;
  readonly sizeBytes: number;
}

export interface KeptRefusal extends RefusedEvent {
  readonly number: number;
}

export interface RefusalCount {
  readonly what: string;
  readonly source: string;
  readonly howMany: number;
  readonly lastAt: number;
}
