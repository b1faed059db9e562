// biome-ignore-all lint/performance/noBarrelFile: what a hook loads that finds no hub: neither the ledger nor the schemas

export { fitEvent } from "./hooks/fit-event.ts";
export { type HeardPayload, hearPayload, NATIVE, type NativeSaid, renderUnread, unreadRendering } from "./hooks/hear-payload.ts";
export { holdsReads } from "./hooks/holds-reads.ts";
export { type HookEvent, readHookEvent } from "./hooks/hook-event.ts";
export { type HookLines, readHookLines, writeAnswer } from "./hooks/hook-lines.ts";
export { isProof, proveHub, proveVerdict } from "./hooks/hook-proof.ts";
export { toHookResponse } from "./hooks/hook-response.ts";
export { spoolLines } from "./hooks/hook-spool.ts";
export { acceptedRules, isAgentAccepted, judgeLocally, unreadableLocally } from "./hooks/local-rules.ts";
export { redactLine } from "./hooks/redact-line.ts";
export { type Resume, readResume, rejoin } from "./hooks/resume-token.ts";
export { UNREADABLE, UNREADABLE_ANSWERS, type UnreadableAnswer } from "./policy/unreadable.ts";
export type { Answer } from "./requests/answer.ts";
