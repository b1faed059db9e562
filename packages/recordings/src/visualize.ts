// biome-ignore-all lint/performance/noBarrelFile: the public functions of this tool
export { buildTrace } from "./visualize/build-trace.ts";
export { FORMATS, renderTrace, type TraceFormat } from "./visualize/render-trace.ts";
export type { RecordingTrace } from "./visualize/trace.ts";
export { brokenInWords } from "./visualize/words/describe-trace.ts";
