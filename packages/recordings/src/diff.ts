// biome-ignore-all lint/performance/noBarrelFile: the public functions of this tool
export { compareRuns } from "./diff/compare-runs.ts";
export type { Unwanted } from "./diff/fold/lane-fold.ts";
export { IGNORABLE_NAMES, readRun, toUnwanted } from "./diff/read-run.ts";
export { toJson } from "./diff/report/json.ts";
export { renderText } from "./diff/report/text.ts";
export { isAlike, tellVerdict } from "./diff/tell-verdict.ts";
