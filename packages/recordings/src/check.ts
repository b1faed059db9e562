// biome-ignore-all lint/performance/noBarrelFile: the public functions of this tool
export { readBaseline } from "./check/baseline.ts";
export type { CheckFileOptions } from "./check/check-file.ts";
export { findInputs } from "./check/inputs.ts";
export { toTerminalJson } from "./check/report/json.ts";
export { type Format, RENDERERS } from "./check/report/render.ts";
export { runCheck, totalBytes } from "./check/run.ts";
