import type { Follower } from "./follower.ts";
import type { Station } from "./station.ts";
import { toSummary } from "./to-summary.ts";

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
