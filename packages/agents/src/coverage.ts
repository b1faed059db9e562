// biome-ignore-all lint/performance/noBarrelFile: a package's only re-export file; each line is public API
export { type AgentCoverage, coverageOf, type HookCoverage, type NeedCoverage } from "./standing/agent-coverage.ts";
export { coverageTables } from "./standing/coverage-tables.ts";
