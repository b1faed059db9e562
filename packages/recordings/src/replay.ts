// biome-ignore-all lint/performance/noBarrelFile: the public functions of this tool
export { type ReplayOptions, runReplay, type ServeReplayOptions } from "./replay/run-replay.ts";
export { summaryLines } from "./replay/summary.ts";
