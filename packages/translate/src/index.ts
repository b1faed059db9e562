// biome-ignore-all lint/performance/noBarrelFile: a package's only re-export file; each line is a promise
export type { Activity, ActivityBase, ActivityDetails, ActivityKind, Amount, Confidence, Risk, Tokens } from "./activity.ts";
