// biome-ignore-all lint/performance/noBarrelFile: the entry for who reads events and checks none: nothing here loads a schema; each line is a promise
export { type AopType, isAopType, payloadOf, readAmount, readField, readText } from "./aliases.ts";
export { unwrapStream } from "./stream-frame.ts";
