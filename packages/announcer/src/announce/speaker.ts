import type { Activity } from "@earshot/protocol/activities";

/** The agent of an activity. */
export type Speaker = Pick<Activity, "agent" | "agentName">;
