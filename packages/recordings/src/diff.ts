// biome-ignore-all lint/performance/noBarrelFile: the public functions of this tool
export { compareRuns } from "./diff/compare-runs.ts";
export { describeVerdict, isAlike } from "./diff/describe-verdict.ts";
export type { ExcludedParts } from "./diff/fold/lane-fold.ts";
export { IGNORABLE_NAMES, readRecordedRun, toExcludedParts } from "./diff/read-run.ts";
export { toDiffJson } from "./diff/report/json.ts";
export { renderDiffText } from "./diff/report/text.ts";
