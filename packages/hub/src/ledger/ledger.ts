import type { Problem, ProtocolName, Reading } from "@earshot/protocol";
import type { Decision, NewRequest, Request, RequestQuery, SettleVerdict } from "../request.ts";
import type { Flag, Verdict } from "../verdict.ts";

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
  /** How much room the store takes. */
  space(): Promise<Space>;
  /** Gives room that was freed back to the system, in small steps. Fulfils with the number of bytes. */
  giveBack(): Promise<number>;
  /** Wakes a listener after entries became visible, with the new head. Returns how to stop. */
  follow(wake: (head: number) => void): () => void;
  close(): Promise<void>;
}

export type CutReason = "deleted" | "pruned" | "erased";

export interface Space {
  readonly fileBytes: number;
  /** How much of it is free: what was cut, and is not used again yet. */
  readonly freeBytes: number;
}

/** Protocol and credential an event came with. `name` is `local` without one, or the endpoint attached to. */
export interface Source {
  readonly protocol: ProtocolName;
  readonly name: string;
  /** Whether the sender held a credential. What is unverified never opens a request. */
  readonly verified: boolean;
}

/** One event or message that was read, redacted, and is ready to be stored. */
export interface Submission {
  readonly source: Source;
  readonly kind: "event" | "message";
  /** Empty for what belongs to no session. */
  readonly session: string;
  readonly agent: string;
  readonly type: string;
  /** AOP's number; null for the others, and where there is none. */
  readonly sequence: number | null;
  /** With the source, what recognises it when it comes again; null where `sequence` does that, or nothing can. */
  readonly identity: string | null;
  /** JSON as it was said, secrets masked: what is compared when the identity comes again. */
  readonly text: string;
  /** Milliseconds since 1970, by the hub's clock. */
  readonly receivedAt: number;
  readonly reading: Reading;
  readonly redactions: readonly RedactionMark[];
  /** It was imported: it happened some time ago, and is no news to anybody. */
  readonly isHistory?: true;
  /** Under which name a message may answer it (a reply token, an event id); with the source. */
  readonly answerable?: string;
  /** Which event a message answers. */
  readonly answers?: string;
  readonly request?: NewRequest;
}

/** A secret that was masked: where, of which shape, how many code points. */
export interface RedactionMark {
  readonly pointer: string;
  readonly shape: string;
  readonly length: number;
}

/**
 * Judges what was submitted against what the session said before. Pure: no I/O, no clock. The state is a plain JSON value
 * that is changed in place. The ledger stores it now and then, and may hear stored entries again to bring an older state up
 * to date, as long as each was stored as it was said (no `Judgement.text`).
 */
export interface Lifecycle {
  open(protocol: ProtocolName): SessionState;
  hear(state: SessionState, said: Said, place: Placing): Judgement;
  /** Reads a stored text again, for hearing it again. */
  read(protocol: ProtocolName, text: string): Reading;
}

/** What is judged of a submission. */
export type Said = Pick<Submission, "source" | "reading" | "text" | "redactions">;

export interface Placing {
  readonly position: number;
  /** Its number was given to another event of the session before (AOP). */
  readonly repeated: boolean;
  /** Its `answerable` name was used before by the same agent. */
  readonly nameUsedAt: number | null;
}

/** Opaque to the ledger. */
export type SessionState = object;

export interface Judgement {
  readonly flags: readonly Flag[];
  /** Set when it must not be stored. The state is then as it was before. */
  readonly refuse?: Problem;
  /** What to store instead of `text`, when what was said before makes more of it secret, or less of it is to be kept. */
  readonly text?: string;
  readonly redactions?: readonly RedactionMark[];
  /** The session is over: its state is small from now on and need not be kept at hand. */
  readonly ended: boolean;
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
