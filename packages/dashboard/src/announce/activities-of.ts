import type { JsonObject } from "@earshot/protocol/json";
import { type Activity, readActivities } from "@earshot/translate";
import type { LiveEntry } from "../hub/live.ts";
import { agentName } from "../words/names.ts";

/** What an entry of the ledger means to a listener: nothing, where it is the hub's own book-keeping. */
export function activitiesOf({ protocol, session, agent, type, kind, verified, event }: LiveEntry): readonly Activity[] {
  if (kind !== "event" && kind !== "message") return [];
  return readActivities(protocol, event as JsonObject, { session, agent, type, kind }).map((activity) =>
    named(verified ? activity : believable(activity)),
  );
}

function named(activity: Activity): Activity {
  const name = activity.agentName ?? (activity.agent === "" ? undefined : agentName(activity.agent));
  return name === undefined || name === activity.agentName ? activity : { ...activity, agentName: name };
}

/** Anybody on this machine may say something, and nobody can answer what a stranger asks: it is told in its turn, as a message. */
function believable(activity: Activity): Activity {
  const { urgency: _urgency, ...calm } = activity;
  switch (calm.kind) {
    case "request.asked":
      return { ...base(activity), kind: "notification", text: `A question from an unverified source: ${calm.prompt}` };
    case "handoff":
      return { ...base(activity), kind: "notification", text: `A handoff from an unverified source: ${calm.reason ?? ""}` };
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
