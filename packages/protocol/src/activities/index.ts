// biome-ignore-all lint/performance/noBarrelFile: a package's only re-export file; each line is public API
export type {
  Activity,
  ActivityBase,
  ActivityDetails,
  ActivityKind,
  Amount,
  Attachment,
  Confidence,
  ContextLevel,
  Parent,
  Risk,
  Summaries,
  Tokens,
} from "./activity.ts";
export type { EventIdentity } from "./build-activity.ts";
export { readActivities } from "./read-activities.ts";
