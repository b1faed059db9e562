import { CORE_CONTEXT, type JsonObject } from "@earshot/protocol";
import type { FeedEvent, SessionSummaryState } from "../feed.ts";
import { toFeedEvent } from "../producer/to-feed-event.ts";
import type { ShaperItem } from "./item.ts";
import { mergedEventId } from "./merged-id.ts";

const IN_WORDS: Readonly<Record<string, string>> = {
  idle: "Running; nothing to report yet.",
  thinking: "Thinking.",
  calling_tool: "Using a tool.",
  writing_output: "Writing the answer.",
  awaiting_input: "Waiting for an answer.",
  deciding: "Deciding what to do next.",
  handing_off: "Handing over.",
};

interface Stamp {
  readonly eventId: string;
  readonly timestamp: unknown;
  readonly position: number;
}

/**
 * The current activity of a session, for a subscriber that joins midway or missed events (B.1.5): a state change, usually from the
 * present state to itself. Never merged.
 */
export function toSessionSummary(
  now: Omit<SessionSummaryState, "position">,
  { eventId, timestamp, position }: Stamp,
  from = now.state,
): FeedEvent {
  const { session, producer, state, summary, language, asks } = now;
  const event = {
    "@context": CORE_CONTEXT,
    aaep_version: "1.0.0",
    type: "aaep:agent.state.changed",
    event_id: eventId,
    session_id: session,
    timestamp,
    producer: { ...producer },
    urgency: asks === undefined ? "normal" : "critical", // it comes before its questions, which do not wait for the rate
    localization_hints: { primary_language: summary === undefined ? "en" : (language ?? "en") },
    from_state: from,
    to_state: state,
    summary_normal: summary ?? IN_WORDS[state] ?? `The state is ${state}.`,
  } as JsonObject;
  return { ...toFeedEvent(position, event), merges: undefined };
}

const IMPLIED = [
  ["aaep:agent.tool.", "calling_tool"],
  ["aaep:agent.output.", "writing_output"],
] as const;

/** One state change that replaces a session's unsent items. */
export function summarizeItems(items: readonly ShaperItem[]): FeedEvent {
  const heard = items.map(({ insight }) => insight.source);
  const changes = items.flatMap((item) => {
    const { from_state: from, to_state: to } = item.insight.source.event;
    return typeof from === "string" && typeof to === "string" ? [{ from: item.type === "state" ? item.step.from : from, to }] : [];
  });
  const last = heard.at(-1);
  if (last === undefined) throw new Error("Nothing is left out.");
  const implied = IMPLIED.find(([beginning]) => last.type.startsWith(beginning))?.[1];
  const state = changes.at(-1)?.to ?? implied ?? "thinking";
  const { event, session, agent, position } = last;
  const summary = `${items.length} events were left out, more than this subscription takes. ${IN_WORDS[state] ?? `The state is ${state}.`}`;
  const eventId = mergedEventId(heard.map(({ eventId: id }) => id).join(" "));
  const producer = (event["producer"] ?? { agent_id: agent }) as unknown as SessionSummaryState["producer"];
  return toSessionSummary(
    { session, producer, state, summary },
    { eventId, timestamp: event["timestamp"], position },
    changes[0]?.from ?? state,
  );
}
