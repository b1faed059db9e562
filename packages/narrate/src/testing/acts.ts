import type { JsonObject } from "@earshot/protocol";
import { type Activity, type ActivityDetails, type ActivityKind, readActivities } from "@earshot/protocol/activities";

let events = 0;

type Members<Kind extends ActivityKind> = Partial<Omit<Activity, "kind">> & ActivityDetails[Kind];

/** An activity of session `s1` of Codex in the folder `shop`, unless given otherwise. */
export function sampleActivity<Kind extends ActivityKind>(kind: Kind, members: Members<Kind>): Activity {
  return {
    protocol: "aep",
    type: "x",
    session: "s1",
    agent: "codex",
    agentName: "Codex",
    workspace: "/home/ana/shop",
    eventId: `evt_${++events}`,
    ...members,
    kind,
  } as unknown as Activity;
}

/** The activity of an AAEP event. */
export function aaepActivity(type: string, payload: JsonObject = {}): Activity {
  const event: JsonObject = {
    "@context": "https://aaep-protocol.org/context/v1",
    type: `aaep:agent.${type}`,
    event_id: `evt_${++events}`,
    session_id: "sess_1",
    timestamp: "2026-07-01T09:00:00.000Z",
    producer: { agent_id: "deploy-bot", agent_name: "Deploy bot" },
    ...payload,
  };
  const place = { session: String(event["session_id"]), agent: "deploy-bot", type: `agent.${type}`, kind: "event" } as const;
  const [activity] = readActivities("aaep", event, place);
  if (activity === undefined) throw new Error(`${type} means nothing`);
  return activity;
}
