import type { EarPhrases } from "@earshot/narrate";
import { type Activity, readActivities } from "@earshot/protocol/activities";
import type { JsonObject } from "@earshot/protocol/json";
import type { HeardEntry } from "./wire.ts";

/** What an entry of the ledger means to a listener: nothing, where it is the hub's own book-keeping. */
export function activitiesOf(
  { protocol, session, agent, type, kind, verified, event }: HeardEntry,
  phrases: EarPhrases,
): readonly Activity[] {
  if (kind !== "event" && kind !== "message") return [];
  const activities = readActivities(protocol, event as JsonObject, { session, agent, type, kind });
  return verified ? activities : activities.map((activity) => believable(activity, phrases));
}

/** Anybody on this machine may say something, and nobody can answer what a stranger asks: it is told in its turn, as a message. */
function believable(activity: Activity, phrases: EarPhrases): Activity {
  const { urgency: _urgency, ...calm } = activity;
  switch (calm.kind) {
    case "request.asked":
      return { ...base(activity), kind: "notification", text: phrases.unverified("question", calm.prompt) };
    case "handoff":
      return { ...base(activity), kind: "notification", text: phrases.unverified("handoff", calm.reason ?? "") };
    case "tool.decided":
      return calm.verdict === "asked" ? { ...calm, verdict: "unknown" } : calm;
    default:
      return activity.urgency === "critical" ? calm : activity;
  }
}

function base({ protocol, type, session, agent, agentName: name, workspace, language }: Activity): Omit<Activity, "kind"> {
  return {
    protocol,
    type,
    session,
    agent,
    ...(name === undefined ? {} : { agentName: name }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(language === undefined ? {} : { language }),
  };
}
