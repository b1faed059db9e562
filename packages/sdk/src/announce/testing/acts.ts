import type { JsonObject } from "@earshot/protocol";
import { type Activity, type ActivityDetails, type ActivityKind, readActivities } from "@earshot/translate";
import type { Announcement } from "../announcement.ts";
import type { Announcer } from "../announcer.ts";

let events = 0;

type Members<Kind extends ActivityKind> = Partial<Omit<Activity, "kind">> & ActivityDetails[Kind];

/** An activity of session `s1` of Codex in the folder `shop`, unless it says otherwise. */
export function act<Kind extends ActivityKind>(kind: Kind, members: Members<Kind>): Activity {
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

/** What an AAEP event means. */
export function aaep(type: string, payload: JsonObject = {}): Activity {
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

/** Speaks all that is due until a time, each to its end at the pace of the settings, and returns it. */
export function listen(announcer: Announcer, from: number, until: number): readonly Announcement[] {
  const heard: Announcement[] = [];
  let at = from;
  for (;;) {
    const due = announcer.dueAt();
    if (due === undefined || Math.max(due, at) > until) return heard;
    at = Math.max(due, at);
    const announcement = announcer.next(at);
    if (announcement === undefined) {
      if ((announcer.dueAt() ?? Number.POSITIVE_INFINITY) <= at) throw new Error(`Due at ${at}, and nothing to say`);
      continue;
    }
    heard.push(announcement);
    at += (announcement.words * 60_000) / announcer.settings.paceWpm;
    announcer.spoken(announcement.id, at);
  }
}

export function texts(announcements: readonly Announcement[]): readonly string[] {
  return announcements.map(({ text }) => text);
}
