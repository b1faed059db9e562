import type { EntryRow, JudgeSnapshot, Lookups, WritePlan } from "@earshot/judge";
import type { ProtocolName } from "@earshot/protocol";
import type { RequestQuery, StoredRequest } from "../request.ts";
import type {
  DiskSpace,
  EntryPage,
  EntryQuery,
  KeptRefusal,
  RefusalCount,
  RefusedEvent,
  RemovalQuery,
  SessionInfo,
  SessionPage,
  SessionQuery,
} from "./ledger.ts";

/** The rows of one transaction. */
export interface EngineWrites extends Omit<WritePlan, "entries"> {
  readonly entries: readonly HashedEntryRow[];
  /** Hash of the last entry of each written session, in hexadecimal, by session key. */
  readonly chainHeads: ReadonlyMap<number, string>;
  readonly refusals: readonly RefusedEvent[];
  /** Added to the stored counts. */
  readonly counts: readonly RefusalCount[];
}
export interface HashedEntryRow extends EntryRow {
  /** SHA-256 in hexadecimal; see chain.ts. */
  readonly hash: string;
}

/** A signed line that covers all entries up to a position. */
export interface CheckpointRow {
  readonly number: number;
  readonly upTo: number;
  readonly line: string;
}

/** The entries a cut removes: those of the session after `after`, up to and including `upTo`. */
export interface PlannedCut {
  readonly number: number;
  readonly session: SessionInfo;
  readonly after: number;
  readonly upTo: number;
  /** Hash of the last removed entry. */
  readonly chainHead: Buffer;
  readonly entries: number;
}

/** The input of a checkpoint. */
export interface UnsignedHeads {
  /** The last entry of each recently active session, in order of position. */
  readonly heads: readonly { readonly session: number; readonly position: number; readonly hash: string }[];
  readonly entries: number;
  /** Number of entries received before a time, and the newest one's position. */
  readonly late: { readonly entries: number; readonly upTo: number };
}

/** An entry whose text is to be removed. */
export interface PlannedErasure {
  readonly number: number;
  readonly session: SessionInfo;
  /** The previous entry's hash; undefined for the first entry of the session. */
  readonly before: Buffer | undefined;
  readonly entry: HashedEntryRow;
  /** The session's stored state. */
  readonly state: string | null;
}

/** Replacements for an erased text wherever parts of it are stored. */
export interface ErasureWrites {
  /** Signed line for the removal log. */
  readonly line: string;
  readonly said: Uint8Array;
  readonly state: string | null;
  /** Refusals whose text or problem contains one of these are removed. */
  readonly tellingParts: readonly string[];
}

/**
 * The database operations of the ledger. Queue, group commit, judging, hash chain and signatures are implemented once above it. Calls
 * reject with `STORAGE_FULL` or `LEDGER_UNAVAILABLE`, in which case nothing was written.
 */
export interface LedgerEngine {
  /**
   * Runs one transaction under the append lock: reads the lookups, calls `plan`, writes its rows, commits. Fulfills when the commit is
   * durable. Only one append runs at a time across all processes on this database, so positions become visible in order. `plan` is
   * synchronous and may be called again on a retry. If it throws, nothing is written.
   */
  append(lookups: Lookups, plan: (snapshot: JudgeSnapshot) => EngineWrites): Promise<void>;

  /** Position of the newest entry ever committed; 0 for none. Positions are never reused. */
  head(): Promise<number>;
  read(query: EntryQuery): Promise<EntryPage>;
  readSession(query: SessionQuery): Promise<SessionPage>;
  findSessions(id: string, protocol?: ProtocolName): Promise<readonly SessionInfo[]>;
  requests(query: RequestQuery): Promise<readonly StoredRequest[]>;
  refused(query: { readonly before?: number; readonly limit: number }): Promise<readonly KeptRefusal[]>;
  counts(): Promise<readonly RefusalCount[]>;

  /** The signed lines of the removal log, oldest first. */
  removals(query: RemovalQuery): Promise<readonly { readonly number: number; readonly line: string }[]>;
  checkpoints(query: RemovalQuery): Promise<readonly CheckpointRow[]>;
  lastCheckpoint(): Promise<CheckpointRow | undefined>;
  /** The unsigned entries after a position. */
  unsigned(after: number, receivedBefore: number): Promise<UnsignedHeads>;
  /** Stores a checkpoint; durable when it fulfills. Returns false if another process already stored one with this number. */
  addCheckpoint(row: CheckpointRow): Promise<boolean>;

  /**
   * Logs a cut, which hides its entries from every read and deletes the requests settled there. Returns the removal's number; none if
   * only remains of an earlier cut are left, undefined if there is nothing to remove.
   */
  beginCut(session: number, upTo: number, sign: (cut: PlannedCut) => string): Promise<{ readonly removal?: number } | undefined>;
  /** Deletes some rows of logged cuts of a session, newest first. Returns their number, 0 at the end. */
  deleteCut(session: number): Promise<number>;
  /** Sessions with rows left by logged cuts, as after a crash. */
  unfinishedCuts(): Promise<readonly number[]>;
  /** Removes the text of one entry and its copies. Returns the removal's number; undefined if it was erased before. */
  erase(position: number, plan: (erasure: PlannedErasure) => ErasureWrites): Promise<number | undefined>;
  /** Removes deleted text from places such as the database's log. Returns false if a reader was in the way. */
  purge(): Promise<boolean>;

  /**
   * Calls back with the head and the newest removal's number after other processes have committed; possibly also after commits of this
   * process. Returns the function that stops it.
   */
  onCommit(listener: (head: number, removals: number) => void): () => void;

  space(): Promise<DiskSpace>;
  /** Returns some free space to the system: the bytes of this step, 0 at the end. */
  compact(): Promise<number>;
  /** Converts database errors about damaged data to LEDGER_BROKEN; returns other errors unchanged. */
  explain(error: unknown): unknown;
  close(): Promise<void>;
}
