import type { Activity } from "@earshot/translate";

/** Who said it. */
export type Speaker = Pick<Activity, "agent" | "agentName">;
