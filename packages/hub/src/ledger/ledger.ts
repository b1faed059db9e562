import type { RedactionMark, Submission } from "@earshot/judge";
import type { Problem, ProtocolName } from "@earshot/protocol";
import type { Decision, Request, RequestQuery, SettleVerdict } from "../request.ts";
import type { Flag, Verdict } from "../verdict.ts";

export type { Judgement, Lifecycle, Placing, RedactionMark, Said, SessionState, Source, Submission } from "@earshot/judge";

/**
 * The durable, append-only record of what was said and decided. This contract can be implemented on any store: it is
 * asynchronous throughout and promises nothing that only a single process could promise.
 *
 * - A promise that fulfils means that everything it speaks of is on disk.
 * - Positions strictly increase in the order in which entries become visible: whoever has read up to `n` and asks for what
 *   follows `n` misses nothing and gets nothing twice. They may have gaps.
 * - No call holds up another for long: whatever is unbounded is read in pages, and each page is bounded in rows and bytes.
 * - When the store cannot be written, calls reject with an `EarshotError` (`STORAGE_FULL`, `LEDGER_UNAVAILABLE`), nothing of
 *   the batch is stored, and later calls may succeed again.
 */
export interface Ledger extends AsyncDisposable {
  /**
   * Stores what can be stored and gives one verdict per submission, in order. In one transaction: the entry, what
   * recognises it when it comes again, its link in the session's chain, the session's lifecycle, and the request it opens.
   * A submission that is refused, or whose judgement fails, never aborts the others. Submissions of one batch are taken in
   * order, also when they belong to one session; between batches the order is that of the calls.
   */
  append(batch: readonly Submission[]): Promise<readonly Verdict[]>;
  /**
   * Compares and sets: a settlement ends a request, an amendment moves its deadline, and either finds it open or comes too
   * late. Whatever names a request that there is becomes an entry of its session: what decided, what came too late, and what
   * was about something else than was shown.
   */
  settle(decision: Decision): Promise<SettleVerdict>;
  /** Keeps what was refused, in a log with a bound: the oldest goes first. Durable soon, not at once. */
  refuse(refusals: readonly Refusal[]): void;
  /** Counts what could not even be kept, such as events sent while the hub was overloaded. */
  count(what: string, source: string, howMany: number): void;

  /** The highest position that is visible; 0 when there is none. */
  head(): Promise<number>;
  /** Entries after a position, in order of position. */
  read(query: ReadQuery): Promise<Page>;
  /** Entries of one session in the order in which they were said: AOP by sequence, then arrival; the others by arrival. */
  readSession(query: SessionQuery): Promise<SessionPage>;
  /** Sessions of an id; several sources may use the same one. */
  findSessions(id: string, protocol?: ProtocolName): Promise<readonly SessionInfo[]>;
  requests(query: RequestQuery): Promise<readonly Request[]>;
  refused(query: { readonly before?: number; readonly limit: number }): Promise<readonly KeptRefusal[]>;
  counts(): Promise<readonly Count[]>;

  /**
   * Removes the entries of a session up to and including a position (all of them without one), and leaves a signed tombstone
   * that names the head it cut. Works in small steps; fulfils when all are gone. Gives the number of entries removed.
   */
  cut(session: SessionInfo, reason: CutReason, upTo?: number): Promise<number>;
  /**
   * Removes the text of one entry beyond recovery, and with it flags, and what else knows parts of it. When it was said, by
   * whom and of which type it was stays, with a digest by which it is recognised when it comes again; reading leaves it out. A
   * signed tombstone vouches for it. Gives whether there was a text to remove; rejects with `NOT_FOUND` where no entry is.
   */
  erase(position: number): Promise<boolean>;
  /**
   * The removal log: every cut and erasure, oldest first. A removal is in the log before its first entry is gone, and stays there.
   * Whatever keeps a copy of entries remembers the number of the last removal it has applied and asks for those after it.
   */
  removals(query: RemovalQuery): Promise<readonly Removal[]>;
  /** How much room the store takes. */
  space(): Promise<Space>;
  /** Gives room that was freed back to the system, in small steps. Fulfils with the number of bytes. */
  giveBack(): Promise<number>;
  /**
   * Wakes a listener after entries became visible, with the new head. A removal wakes it with the head as it is: when it is in the
   * removal log, and when its entries are gone. Returns how to stop.
   */
  follow(wake: (head: number) => void): () => void;
  close(): Promise<void>;
}

export type CutReason = "deleted" | "pruned" | "erased";

export interface RemovalQuery {
  /** Number of the last removal already known; 0 for none. */
  readonly after: number;
  readonly limit: number;
}

/** A recorded removal. */
export interface Removal {
  /** 1, 2, 3 and so on, without gaps. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly session: SessionInfo;
  readonly reason: CutReason;
  /** Entries of the session after this position … */
  readonly after: number;
  /** … up to and including this one. For `erased`, the one entry whose text was removed. */
  readonly upTo: number;
}

export interface Space {
  readonly fileBytes: number;
  /** How much of it is free: what was cut, and is not used again yet. */
  readonly freeBytes: number;
}

/** What was stored, as it is read back. */
export interface Entry {
  readonly position: number;
  readonly receivedAt: number;
  readonly protocol: ProtocolName;
  readonly source: string;
  readonly verified: boolean;
  readonly session: string;
  /** Names the session in this ledger, for as long as it is kept: `SessionInfo.key`. */
  readonly sessionKey: number;
  /** `decision` and `late-decision` are written by `settle`; the latter changed nothing. */
  readonly kind: "event" | "message" | "decision" | "late-decision";
  readonly agent: string;
  readonly type: string;
  readonly sequence: number | null;
  /** JSON as it was said. May hold line breaks between its tokens. */
  readonly text: string;
  readonly flags: readonly Flag[];
  readonly redactions: readonly RedactionMark[];
  /** It was imported. */
  readonly isHistory?: true;
}

export interface ReadQuery {
  readonly after: number;
  readonly limit: number;
  readonly filter?: Filter;
}

/** All that are given must hold; within one, any. */
export interface Filter {
  readonly protocol?: readonly ProtocolName[];
  readonly session?: string;
  /** A trailing `*` stands for any ending. */
  readonly type?: readonly string[];
  readonly agent?: string;
}

export interface Page {
  readonly entries: readonly Entry[];
  /** Everything up to here has been considered: ask for what follows this. Equals `after` when there is nothing more yet. */
  readonly upTo: number;
}

export interface SessionQuery {
  readonly session: SessionInfo;
  /** From the previous page; left out for the first. */
  readonly after?: SessionCursor;
  /** Instead of `after`: read backwards, the entries before this place, the last one first. */
  readonly before?: SessionCursor;
  readonly limit: number;
}

export interface SessionCursor {
  readonly ordinal: number;
  readonly position: number;
}

export interface SessionPage {
  readonly entries: readonly Entry[];
  /** Undefined when this was the last page. */
  readonly next: SessionCursor | undefined;
}

export interface SessionInfo {
  readonly key: number;
  readonly protocol: ProtocolName;
  readonly source: string;
  readonly id: string;
}

export interface Refusal {
  readonly receivedAt: number;
  readonly source: string;
  readonly problem: Problem;
  /** The beginning of what was sent, secrets masked. */
  readonly text: string;
  readonly sizeBytes: number;
}

export interface KeptRefusal extends Refusal {
  readonly number: number;
}

export interface Count {
  readonly what: string;
  readonly source: string;
  readonly howMany: number;
  readonly lastAt: number;
}
