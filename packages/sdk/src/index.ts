// biome-ignore-all lint/performance/noBarrelFile: a package's only re-export file; each line is public API
export type { ClosedPrompt, Prompt, PromptReply, ResumeState, SubscriberState, SubscriptionProblem } from "@earshot/aaep";
export type { AaepAgent } from "./aaep/aaep-agent.ts";
export type { AaepSession } from "./aaep/aaep-session.ts";
export type { Summary } from "./aaep/clean-text.ts";
export type { Cover, Permit } from "./aaep/permit.ts";
export type {
  AaepSessionOptions,
  AaepToolOptions,
  CancelOptions,
  ChoiceOption,
  ChooseOptions,
  Clarified,
  ClarifyOptions,
  CompleteOptions,
  Confirmed,
  ConfirmOptions,
  FailOptions,
  HandoffOptions,
  HandoffOutcome,
  OutputOptions,
  ProgressOptions,
  StateOptions,
  ToolContext,
} from "./aaep/session-options.ts";
export type { ChunkBoundary } from "./aaep/text-chunks.ts";
export type { AopAgent } from "./agent.ts";
export type { Counts } from "./delivery/outbox.ts";
export { type AaepOptions, aaep, type ServedSession, type ServingAgent } from "./node/aaep.ts";
export type { AaepEndpoint, ServeOptions } from "./node/aaep-serve-options.ts";
export { type AepEventLike, type AepOptions, type AepSpeaker, aep, createAep, type DecideOptions } from "./node/aep.ts";
export { type AopOptions, aop } from "./node/aop.ts";
export { type ProducerCommand, subscribe, trustKeys } from "./node/subscribe.ts";
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
export { type AaepEvent, AaepSubscription, type SubscribeOptions } from "./subscribe/aaep-subscription.ts";
