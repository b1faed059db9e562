// biome-ignore-all lint/performance/noBarrelFile: a package's only re-export file; each line is public API
export type {
  Activity,
  ActivityAttachment,
  ActivityBase,
  ActivityConfidence,
  ActivityDetails,
  ActivityKind,
  ActivityParent,
  ActivityRisk,
  AgentSummaries,
  ContextLevel,
  CountedAmount,
  TokenAmounts,
} from "./activity.ts";
export type { EventIdentity } from "./build-activity.ts";
export { readActivities } from "./read-activities.ts";
