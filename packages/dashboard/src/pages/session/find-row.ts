import { ask } from "../../hub/ask.ts";
import type { LiveEntry } from "../../hub/live.ts";
import type { Row } from "./rows.ts";

/** The row in which a position is told: its own, or that of the call or output it is part of; else the one before it. */
export async function findRow(rows: readonly Row[], position: number): Promise<Row | undefined> {
  const own = rows.find(({ item }) => item.position === position);
  if (own !== undefined) return own;
  const before = rows.filter(({ item }) => item.position < position);
  const said = await ask<LiveEntry>("GET", `/api/entries/${position}`).then(
    ({ event }) => JSON.stringify(event),
    () => "", // removed: then nothing is known of it
  );
  const isPart = ({ item: { call, output } }: Row) =>
    [call?.callId, output?.outputId].some((id) => id !== undefined && id !== "" && said.includes(JSON.stringify(id)));
  return before.findLast(isPart) ?? before.at(-1) ?? rows[0];
}
