import type { EntryRow, Lookups, Plan, Snapshot } from "@earshot/judge";
import type { ProtocolName } from "@earshot/protocol";
import type { Request, RequestQuery } from "../request.ts";
import type {
  Count,
  KeptRefusal,
  Page,
  ReadQuery,
  Refusal,
  RemovalQuery,
  SessionInfo,
  SessionPage,
  SessionQuery,
  Space,
} from "./ledger.ts";

/** The rows of one transaction. */
export interface Writes extends Omit<Plan, "entries"> {
  readonly entries: readonly HashedEntryRow[];
  /** Hash of the last entry of each session written to, in hexadecimal, by session key. */
  readonly chainHeads: ReadonlyMap<number, string>;
  readonly refusals: readonly Refusal[];
  /** Added to what was counted before. */
  readonly counts: readonly Count[];
}
export interface HashedEntryRow extends EntryRow {
  /** SHA-256 in hexadecimal: see chain.ts. */
  readonly hash: string;
}

/** A signed line that vouches for all entries up to a position. */
export interface CheckpointRow {
  readonly number: number;
  readonly upTo: number;
  readonly line: string;
}

/** What a cut is about to remove: entries of the session after `after`, up to and including `upTo`. */
export interface PlannedCut {
  readonly number: number;
  readonly session: SessionInfo;
  readonly after: number;
  readonly upTo: number;
  /** Hash of the last entry that goes. */
  readonly chainHead: Buffer;
  readonly entries: number;
}

/** What a checkpoint is to sign. */
export interface Unsigned {
  /** The last entry of each session heard from, in order of position. */
  readonly heads: readonly { readonly session: number; readonly position: number; readonly hash: string }[];
  readonly entries: number;
  /** How many of the entries were received before a time, and the position of the newest of them. */
  readonly late: { readonly entries: number; readonly upTo: number };
}

/** An entry whose text is about to be removed. */
export interface PlannedErasure {
  readonly number: number;
  readonly session: SessionInfo;
  /** Hash that the entry is linked to; undefined for the first entry of the session. */
  readonly before: Buffer | undefined;
  readonly entry: HashedEntryRow;
  /** The session's stored state. */
  readonly state: string | null;
}

/** What replaces an erased text, wherever parts of it stand. */
export interface Erasing {
  /** Signed line for the removal log. */
  readonly line: string;
  readonly said: Uint8Array;
  readonly state: string | null;
  /** Refusals whose text or problem contains one of these are removed. */
  readonly tellingParts: readonly string[];
}

/**
 * What a database does for the ledger. Queue, group commit, judging, hash chain and signatures are written once, above it.
 * Calls reject with `STORAGE_FULL` or `LEDGER_UNAVAILABLE`; nothing of them was written then.
 */
export interface LedgerEngine {
  /**
   * Runs one transaction under the append lock: reads what the lookups name, calls `plan`, writes its rows, commits. Fulfills
   * when the commit is durable. Only one append runs at a time, across all processes on this database, so positions become
   * visible in order. `plan` is synchronous and may be called again on a retry. When it throws, nothing is written.
   */
  append(lookups: Lookups, plan: (snapshot: Snapshot) => Writes): Promise<void>;

  /** Position of the newest entry ever committed; 0 for none. Positions are never reused. */
  head(): Promise<number>;
  read(query: ReadQuery): Promise<Page>;
  readSession(query: SessionQuery): Promise<SessionPage>;
  findSessions(id: string, protocol?: ProtocolName): Promise<readonly SessionInfo[]>;
  requests(query: RequestQuery): Promise<readonly Request[]>;
  refused(query: { readonly before?: number; readonly limit: number }): Promise<readonly KeptRefusal[]>;
  counts(): Promise<readonly Count[]>;

  /** The signed lines of the removal log, oldest first. */
  removals(query: RemovalQuery): Promise<readonly { readonly number: number; readonly line: string }[]>;
  checkpoints(query: RemovalQuery): Promise<readonly CheckpointRow[]>;
  lastCheckpoint(): Promise<CheckpointRow | undefined>;
  /** What there is after a position. */
  unsigned(after: number, receivedBefore: number): Promise<Unsigned>;
  /** Stores a checkpoint; durable when it fulfills. Gives false when there is one of this number: another process was faster. */
  addCheckpoint(row: CheckpointRow): Promise<boolean>;

  /**
   * Records a cut in the removal log, and with it hides its entries from every read and deletes the requests settled there. Gives
   * the number of the removal; none when only remains of an earlier cut are left, undefined when there is nothing to remove.
   */
  beginCut(session: number, upTo: number, sign: (cut: PlannedCut) => string): Promise<{ readonly removal?: number } | undefined>;
  /** Deletes some rows of recorded cuts of a session, the newest first; gives how many, 0 when none are left. */
  deleteCut(session: number): Promise<number>;
  /** Sessions of which recorded cuts have left rows, as after a crash. */
  unfinishedCuts(): Promise<readonly number[]>;
  /** Removes the text of one entry and what copies of it there are. Gives the removal's number; undefined when it was erased before. */
  erase(position: number, plan: (erasure: PlannedErasure) => Erasing): Promise<number | undefined>;
  /** Removes deleted text from where the database still keeps it, such as its log. Gives false when a reader was in the way. */
  purge(): Promise<boolean>;

  /**
   * Calls back with the head and the number of the newest removal after other processes have committed entries or removals; it may call
   * back after commits of this process. Returns how to stop.
   */
  onCommit(listener: (head: number, removals: number) => void): () => void;

  space(): Promise<Space>;
  /** Returns some free space to the system: the bytes of this step, 0 when there is no more. */
  compact(): Promise<number>;
  /** Turns the database's error about damaged data into LEDGER_BROKEN; gives any other error back. */
  explain(error: unknown): unknown;
  close(): Promise<void>;
}
