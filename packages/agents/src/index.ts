// biome-ignore-all lint/performance/noBarrelFile: a package's only re-export file; each line is public API

export {
  type Addition,
  type Answers,
  type Asking,
  type CompiledAnswers,
  compileAnswers,
  type Gate,
  type HookAnswers,
  MOMENTS,
  type Moment,
  type Reply,
} from "./answers/answers.ts";
export type { Loss } from "./answers/ladder.ts";
export {
  comesTo,
  type Degradation,
  type RenderContext,
  type Rendering,
  renderAnswer,
  renderNeutral,
  withRendering,
} from "./answers/render-answer.ts";
export { type CallState, closeCall, type KnownCall, NO_CALLS } from "./calls/call-state.ts";
export { dedupeKey, type JoinedEvent, type JoinOptions, joinCalls } from "./calls/join-calls.ts";
export type { AgentCard, HandlerShape, JsonFormat, PluginFormat, SettingsFile, SettingsFormat } from "./card/agent-card.ts";
export { type CompiledMapping, compileMapping } from "./mapping/compile-mapping.ts";
export type { MapWarning } from "./mapping/compile-value.ts";
export { type Call, type MapOptions, type Mapped, type MappedEvent, mapPayload, type Nothing } from "./mapping/map-payload.ts";
export type { Mapping, MappingEntry } from "./mapping/mapping.ts";
export { recogniseSender, type Sender, type SenderClues, toSlug } from "./recognise-sender.ts";
