// biome-ignore-all lint/performance/noBarrelFile: a package's only re-export file; each line is public API
export type { Amendment, Decision, NewRequest, RequestKind, RequestState, Settled, Settlement, SettleVerdict } from "./decision.ts";
export { judgeDecision, REQUEST_KINDS, REQUEST_STATES } from "./decision.ts";
export { findLookups } from "./find-lookups.ts";
export { type JudgingContext, planBatch, StaleCache, Unjudgeable } from "./judge.ts";
export { contentDigest, identityKey, nameLabel, numberLabel, repeatKey, type Sha256, sessionLabel, sourceLabel } from "./labels.ts";
export { type OpenedRequest, readNotes, readOpenedRequest, toFlag, toOpenedRequest } from "./notes.ts";
export {
  ENTRY_KINDS,
  type EntryRow,
  type KnownEntry,
  type Lookups,
  MAX_COMPARED_ENTRIES,
  type NameRow,
  type NumberLookup,
  type Operation,
  type OperationResult,
  type Plan,
  type RequestRow,
  type SessionLookup,
  type SessionName,
  type SessionRow,
  type SessionSnapshot,
  type Snapshot,
  type SourceName,
  type StoredState,
  type TailEntry,
  type UsedNumber,
} from "./plan.ts";
export { SessionCache } from "./session-cache.ts";
export type {
  Flag,
  Judgement,
  Lifecycle,
  Placing,
  RedactionMark,
  Refused,
  Said,
  SessionState,
  Source,
  Stored,
  Submission,
  Verdict,
} from "./submission.ts";
