import type { Shaper } from "../shape/outgoing.ts";
import { toSummary } from "../shape/summary.ts";
import type { Station } from "./subscription-ports.ts";

const MAX_SUMMARIES = 200;

/**
 * Has a shaper hear what the sessions are doing that began before `position`, and what they ask. `isWanted` is asked when that
 * is known: the subscription may listen elsewhere by then.
 */
export async function sumUp(
  shaper: Shaper,
  position: number,
  station: Pick<Station, "running" | "monotonic" | "now" | "newEventId">,
  isWanted: () => boolean,
): Promise<void> {
  const sessions = await station.running();
  if (!isWanted()) return;
  const at = station.monotonic();
  const timestamp = new Date(station.now()).toISOString();
  for (const session of sessions.slice(-MAX_SUMMARIES)) {
    // Events after the position follow anyway. A question that was asked before it would be missed.
    if (session.position <= position) shaper.hear(toSummary(session, { eventId: station.newEventId(), timestamp, position }), at, true);
    for (const asked of session.asks ?? []) if (asked.position <= position) shaper.hear(asked, at, true);
  }
}
