import { isObject, type JsonObject, type JsonValue, readTypeName } from "@earshot/protocol";
import type { FeedEvent } from "../feed.ts";

const ALWAYS_CRITICAL = new Set([
  "aaep:agent.session.errored",
  "aaep:agent.awaiting.confirmation",
  "aaep:agent.awaiting.clarification",
  "aaep:agent.handoff.requested",
]);

const MERGES: Readonly<Record<string, FeedEvent["merges"]>> = {
  "aaep:agent.output.streaming": "output",
  "aaep:agent.progress.updated": "progress",
  "aaep:agent.state.changed": "state",
};

/** Prepares an event for all subscriptions. `text` is its compact JSON, if already available. */
export function toFeedEvent(position: number, event: JsonObject, text: string = JSON.stringify(event)): FeedEvent {
  const type = compactType(event["type"]);
  const producer = event["producer"];
  return {
    position,
    event,
    text,
    eventId: textOf(event["event_id"]),
    type,
    session: textOf(event["session_id"]),
    agent: isObject(producer) ? textOf(producer["agent_id"]) : "",
    critical: event["urgency"] === "critical" || ALWAYS_CRITICAL.has(type),
    merges: MERGES[type],
  };
}

/** Both full forms of a core type are converted to the compact one, which filters use. */
function compactType(type: JsonValue | undefined): string {
  if (typeof type !== "string") return "";
  const name = readTypeName(type);
  return name.prefix === "" ? name.local : `${name.prefix}:${name.local}`;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
