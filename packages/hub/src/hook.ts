// biome-ignore-all lint/performance/noBarrelFile: the entry for hooks without a hub: loads neither the ledger nor the schemas

export { type HeardPayload, hearPayload, NATIVE, type NativeSaid, renderUnread, unreadRendering } from "./hooks/hear-payload.ts";
export { type HookEvent, readHookEvent } from "./hooks/hook-event.ts";
export {
  type HookLines,
  isProof,
  proveHub,
  proveVerdict,
  type Resume,
  readHookLines,
  readResume,
  rejoin,
  writeAnswer,
} from "./hooks/hook-protocol.ts";
export { toHookResponse } from "./hooks/hook-response.ts";
export { fitEvent, redactLine, spoolLines } from "./hooks/hook-spool.ts";
export { acceptedRules, holdsReads, isAgentAccepted, judgeLocally, unreadableLocally } from "./hooks/local-rules.ts";
export { UNREADABLE, UNREADABLE_ANSWERS, type UnreadableAnswer } from "./policy/unreadable.ts";
export type { Answer } from "./requests/answer.ts";
