import type { Activity } from "@earshot/protocol/activities";

/** The agent of an activity. */
export type ActivitySpeaker = Pick<Activity, "agent" | "agentName">;
