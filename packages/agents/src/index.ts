// biome-ignore-all lint/performance/noBarrelFile: a package's only re-export file; each line is public API

export {
  type AgentAnswers,
  type AskSupport,
  type CompiledAnswers,
  compileAnswers,
  type GateGrade,
  HOOK_MOMENTS,
  type HookAnswers,
  type HookMoment,
  type HookReply,
  type ReplyAddition,
} from "./answers/answers.ts";
export type { BehaviorLoss } from "./answers/find-nearest-behavior.ts";
export {
  type AnswerContext,
  type Degradation,
  findResultingBehavior,
  type RenderedAnswer,
  renderAnswer,
  renderNeutral,
  withRendering,
} from "./answers/render-answer.ts";
export { closeCall, NO_CALLS, type SessionCalls, type WitnessedCall } from "./calls/call-state.ts";
export { dedupeKey, type JoinedEvent, type JoinOptions, joinCalls } from "./calls/join-calls.ts";
export type { AgentCard, HandlerShape, JsonFormat, PluginFormat, SettingsFile, SettingsFormat } from "./card/agent-card.ts";
export { type CompiledMapping, compileMapping } from "./mapping/compile-mapping.ts";
export type { MapWarning } from "./mapping/compile-value.ts";
export {
  type MapOptions,
  type MappedCall,
  type MappedEvent,
  type MappedPayload,
  mapPayload,
  type NothingMapped,
} from "./mapping/map-payload.ts";
export type { Mapping, MappingEntry } from "./mapping/mapping.ts";
export { recogniseSender, type Sender, type SenderClues, toSlug } from "./recognise-sender.ts";
