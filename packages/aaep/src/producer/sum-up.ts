import { CORE_CONTEXT, type JsonObject } from "@earshot/protocol";
import type { Heard, SessionNow } from "../feed.ts";
import type { Follower } from "./follower.ts";
import type { Station } from "./subscription-ports.ts";
import { toHeard } from "./to-heard.ts";

const MOST_SUMMARIES = 200;

/**
 * Tells a follower what the sessions are doing that began before it listens, and what they ask. `isWanted` is asked when that
 * is known: it may listen somewhere else by then.
 */
export async function sumUp(
  follower: Follower,
  station: Pick<Station, "running" | "monotonic" | "now" | "newEventId">,
  isWanted: () => boolean,
): Promise<void> {
  const { cursor } = follower;
  const sessions = await station.running();
  if (!isWanted()) return;
  const at = station.monotonic();
  for (const session of sessions.slice(-MOST_SUMMARIES)) {
    const stamp = { eventId: station.newEventId(), now: station.now(), position: cursor };
    // What happened after the cursor is about to be heard; a question that was asked before it is not.
    if (session.position <= cursor) follower.hearAside(toSummary(session, stamp), at);
    for (const asked of session.asks ?? []) if (asked.position <= cursor) follower.hearAside(asked, at);
  }
}

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
  readonly now: number;
  readonly position: number;
}

/**
 * What a session is doing, for somebody who joins midway or has missed too much (B.1.5): a change of state from the present one
 * to itself. It is never merged away, and nobody resumes from it.
 */
function toSummary({ session, producer, state, summary, language }: SessionNow, { eventId, now, position }: Stamp): Heard {
  const event: JsonObject = {
    "@context": CORE_CONTEXT,
    aaep_version: "1.0.0",
    type: "aaep:agent.state.changed",
    event_id: eventId,
    session_id: session,
    timestamp: new Date(now).toISOString(),
    producer: { ...producer },
    urgency: "normal",
    localization_hints: { primary_language: summary === undefined ? "en" : (language ?? "en") },
    from_state: state,
    to_state: state,
    summary_normal: summary ?? IN_WORDS[state] ?? `The state is ${state}.`,
  };
  return { ...toHeard(position, event), merges: undefined };
}
