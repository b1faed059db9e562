// biome-ignore-all lint/performance/noBarrelFile: the entry for readers that check nothing: loads no schema; each line is public API
export { type AopType, isAopType, payloadOf, readAmount, readField, readFieldText } from "./aliases.ts";
export { unwrapStream } from "./stream-frame.ts";
