// biome-ignore-all lint/performance/noBarrelFile: the subpath `@earshot/hub/redact`; each line is public API
export { type OpenTexts, redactChunkEvent } from "./redact-chunk-events.ts";
export { IDENTITY_POINTERS, secretInIdentity } from "./redact-identity.ts";
export { type RedactedJson, redactJson } from "./redact-json.ts";
export { redactText } from "./redact-text.ts";
