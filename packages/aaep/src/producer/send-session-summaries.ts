import type { Shaper } from "../shape/outgoing.ts";
import { toSessionSummary } from "../shape/summary.ts";
import type { ProducerServices } from "./subscription-ports.ts";

const MAX_SUMMARIES = 200;

/**
 * Passes the state and open questions of sessions that began before `position` to a shaper. `isWanted` is checked afterwards, because the
 * subscription may have moved on.
 */
export async function sendSessionSummaries(
  shaper: Shaper,
  position: number,
  station: Pick<ProducerServices, "running" | "monotonic" | "now" | "newEventId">,
  isWanted: () => boolean,
): Promise<void> {
  const sessions = await station.running();
  if (!isWanted()) return;
  const at = station.monotonic();
  const timestamp = new Date(station.now()).toISOString();
  for (const session of sessions.slice(-MAX_SUMMARIES)) {
    // Later events follow anyway. A question asked before the position would be missed.
    if (session.position <= position)
      shaper.handle(toSessionSummary(session, { eventId: station.newEventId(), timestamp, position }), at, true);
    for (const asked of session.asks ?? []) if (asked.position <= position) shaper.handle(asked, at, true);
  }
}
