// biome-ignore-all lint/performance/noBarrelFile: the entry for hooks without a hub: loads neither the ledger nor the schemas

export { type HookEvent, readHookEvent } from "./hooks/hook-event.ts";
export {
  type HookLines,
  type HookResume,
  isProof,
  proveAnswerLines,
  proveHub,
  readHookLines,
  readHookResume,
  restoreCalls,
  writeAnswerLines,
} from "./hooks/hook-protocol.ts";
export { toHookResponse } from "./hooks/hook-response.ts";
export { fitEvent, redactLine, spoolLines } from "./hooks/hook-spool.ts";
export { acceptedRules, holdsReads, isAgentAccepted, judgeLocally, unreadableAnswerLocally } from "./hooks/local-rules.ts";
export {
  AEP_SENDER,
  type MappedHook,
  mapHookPayload,
  type NativePayload,
  renderUnreadableAnswer,
  renderUnreadablePayload,
} from "./hooks/map-hook-payload.ts";
export { UNREADABLE, UNREADABLE_ANSWERS, type UnreadableAnswer } from "./policy/unreadable.ts";
export type { RequestAnswer } from "./requests/answer.ts";
