// biome-ignore-all lint/performance/noBarrelFile: a package's only re-export file; each line is public API
export type {
  Amendment,
  NewRequest,
  RequestDecision,
  RequestKind,
  RequestState,
  SettledState,
  Settlement,
  SettleVerdict,
} from "./decision.ts";
export { judgeDecision, REQUEST_KINDS, REQUEST_STATES } from "./decision.ts";
export { findLookups } from "./find-lookups.ts";
export { type JudgingContext, JudgingFailure, planBatch, StaleCacheError } from "./judge.ts";
export { contentDigest, identityKey, nameLabel, numberLabel, repeatKey, type Sha256, sessionLabel, sourceLabel } from "./labels.ts";
export { type OpenedRequest, readNotes, readOpenedRequest, toFlag, toOpenedRequest } from "./notes.ts";
export {
  ENTRY_KINDS,
  type EntryRow,
  type JudgeSnapshot,
  type KnownEntry,
  type Lookups,
  MAX_COMPARED_ENTRIES,
  type NameRow,
  type NumberLookup,
  type Operation,
  type OperationResult,
  type PlannedSessionRow,
  type RequestRow,
  type SessionLookup,
  type SessionSnapshot,
  type SourceName,
  type SourceSession,
  type StoredState,
  type TailEntry,
  type UsedNumber,
  type WritePlan,
} from "./plan.ts";
export { SessionCache } from "./session-cache.ts";
export type {
  EntryPlacing,
  EventLifecycle,
  EventSource,
  Flag,
  JudgedPart,
  Judgement,
  OpaqueSessionState,
  RedactionMark,
  RefusedVerdict,
  StoredVerdict,
  Submission,
  Verdict,
} from "./submission.ts";
