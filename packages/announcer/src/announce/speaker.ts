import type { Activity } from "@earshot/protocol/activities";

/** Who said it. */
export type Speaker = Pick<Activity, "agent" | "agentName">;
