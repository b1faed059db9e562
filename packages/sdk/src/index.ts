// biome-ignore-all lint/performance/noBarrelFile: a package's only re-export file; each line is a promise
export type { Agent } from "./agent.ts";
export type { Counts } from "./delivery/outbox.ts";
export { type AepEventLike, type AepOptions, type AepSpeaker, aep, createAep, type DecideOptions } from "./node/aep.ts";
export { type AopOptions, aop } from "./node/aop.ts";
export type { Outcome } from "./speech/outcome.ts";
export type { Session } from "./speech/session.ts";
export type {
  Confidence,
  DecisionOptions,
  EndOptions,
  ExternalOptions,
  GoalOptions,
  GoalStatus,
  MemoryOperation,
  MemoryOptions,
  Metadata,
  SessionOptions,
  SpawnOptions,
  Status,
  ThoughtOptions,
  ToolEndOptions,
  ToolOptions,
} from "./speech/session-options.ts";
export type { SpawnedAgent } from "./speech/spawned-agent.ts";
export type { ToolCall } from "./speech/tool-call.ts";
export type { Spending } from "./speech/totals.ts";
