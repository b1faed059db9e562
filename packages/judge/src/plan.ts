import type { ProtocolName } from "@earshot/protocol";
import type { NewRequest, RequestDecision, RequestState, SettleVerdict } from "./decision.ts";
import type { Submission, Verdict } from "./submission.ts";

/** One step of a batch. All steps share a transaction and are applied in order. */
export type Operation =
  | { readonly append: Submission }
  | { readonly decide: RequestDecision; readonly at: number }
  /** Stores the session's state regardless of its size, because entries it was made from are about to be removed. */
  | { readonly saveState: SourceSession };
export type OperationResult = Verdict | SettleVerdict | undefined;

export interface SourceName {
  readonly protocol: ProtocolName;
  readonly source: string;
}
export interface SourceSession extends SourceName {
  readonly id: string;
}

/** Everything the judgment of a batch depends on. Maps are keyed by label; see labels.ts. */
export interface Lookups {
  readonly sources: ReadonlyMap<string, SourceName>;
  readonly sessions: ReadonlyMap<string, SessionLookup>;
  /** Names that messages of the batch answer. */
  readonly answered: ReadonlyMap<string, SourceName & { readonly name: string }>;
  /** Ends of identity keys; see `identityKeyEnd`. */
  readonly identities: ReadonlyMap<string, SourceName & { readonly keyEnd: string }>;
  /** Numbers within a session, with the end of the `repeatKey`. */
  readonly numbers: ReadonlyMap<string, NumberLookup>;
  /** Names that the same agent may have used before. */
  readonly names: ReadonlyMap<string, SourceName & { readonly name: string; readonly agent: string }>;
  readonly requests: ReadonlySet<string>;
}
export interface SessionLookup extends SourceSession {
  /** Position of the state held in memory. */
  readonly stateAt: number | undefined;
}
export interface NumberLookup {
  /** The session's label. */
  readonly session: string;
  readonly agent: string;
  readonly sequence: number;
  readonly keyEnd: string;
}

/** The rows an engine found. Missing keys were not found. */
export interface JudgeSnapshot {
  /** Position of the newest entry ever committed. */
  readonly head: number;
  readonly nextSource: number;
  readonly nextSession: number;
  /** The database's clock in milliseconds since 1970, where several processes share the ledger. */
  readonly now?: number;
  /** Fencing number of the newest lease; only with `now`. */
  readonly fence?: number;
  /** Number of the newest removal: an older cached state may contain removed entries. */
  readonly removals: number;
  readonly sources: ReadonlyMap<string, number>;
  /** The requested sessions, and those of the requested answered names and requests. */
  readonly sessions: ReadonlyMap<string, SessionSnapshot>;
  /** Label of the session that used the name last. */
  readonly answered: ReadonlyMap<string, string>;
  readonly identities: ReadonlyMap<string, KnownEntry>;
  readonly numbers: ReadonlyMap<string, UsedNumber>;
  /** Position of the name's last use. */
  readonly names: ReadonlyMap<string, number>;
  readonly requests: ReadonlyMap<string, RequestRow>;
}
export interface SessionSnapshot extends SourceSession {
  readonly key: number;
  readonly sourceKey: number;
  /** Position of the session's last entry, even if that was removed. */
  readonly last: number;
  /** Hash of the last entry, in hexadecimal. */
  readonly chainHead: string;
  /** Null for none, or when `stateAt` of the lookup equals `last`. */
  readonly stored: StoredState | null;
}
export interface StoredState {
  readonly state: string | null;
  /** Position up to which the state includes entries. */
  readonly at: number;
  /** The highest stored sequence; -1 for none. */
  readonly highest: number;
  /** Entries after the stored state. */
  readonly tail: readonly TailEntry[];
}
export type TailEntry = Pick<EntryRow, "position" | "kind" | "verified" | "text" | "repeated" | "nameUsedAt">;
/** The members a redelivery is compared with. */
export interface KnownEntry {
  readonly position: number;
  readonly said: Uint8Array | null;
  readonly text: string;
}
/** An AOP sequence number the session has used. */
export interface UsedNumber {
  /** The first entry by the same agent, among the first `MAX_COMPARED_ENTRIES`. */
  readonly first: KnownEntry | undefined;
  /** The entry with the same `repeatKey`. */
  readonly again: number | undefined;
}
/** How many entries with one number are searched for the same agent's: a sender that does not count gives all entries the same number. */
export const MAX_COMPARED_ENTRIES = 64;

export interface RequestRow extends NewRequest {
  readonly position: number;
  /** Label of its session. */
  readonly session: string;
  readonly sessionKey: number;
  readonly openedAt: number;
  readonly state: RequestState;
  readonly settledBy: number | null;
}

/** The rows to write in one transaction. */
export interface WritePlan {
  readonly head: number;
  readonly sources: readonly (SourceName & { readonly key: number })[];
  readonly sessions: readonly PlannedSessionRow[];
  readonly entries: readonly EntryRow[];
  readonly names: readonly NameRow[];
  /** Inserted, or replaced by id. */
  readonly requests: readonly RequestRow[];
}
export interface PlannedSessionRow extends SourceSession {
  readonly key: number;
  readonly sourceKey: number;
  readonly isNew: boolean;
  readonly last: number;
  /** Undefined to keep the stored state. */
  readonly state: { readonly at: number; readonly json: string } | undefined;
}
export interface EntryRow {
  readonly position: number;
  readonly session: number;
  readonly receivedAt: number;
  readonly kind: number;
  readonly verified: number;
  readonly type: string;
  readonly agent: string;
  readonly sequence: number | null;
  readonly identity: string | null;
  /** SHA-256 of the submitted text when less of it is stored. */
  readonly said: Uint8Array | null;
  readonly notes: string | null;
  readonly text: string;
  /** 1 if another event of the session already used its number (AOP). Kept for replaying, like `nameUsedAt`. */
  readonly repeated: number;
  /** Position where the same agent used its `answerable` name before. */
  readonly nameUsedAt: number | null;
}
export interface NameRow {
  readonly sourceKey: number;
  readonly name: string;
  readonly agent: string;
  readonly session: number;
  readonly position: number;
}

/** Stored rows hold the index in this list. */
export const ENTRY_KINDS = ["event", "message", "decision", "late-decision"] as const;
export const EVENT_KIND = 0;
export const MESSAGE_KIND = 1;
export const DECISION_KIND = 2;
export const LATE_DECISION_KIND = 3;
