import type { DatabaseSync } from "node:sqlite";
import type { LedgerBreak } from "./ledger-break.ts";
import type { Slice, Steps } from "./slice.ts";

const PAGE_SESSIONS = 200;
const PAGE = `
SELECT key, cut IS lastCut AND last IS ifnull(newest, lastCut) AND head IS CASE
    WHEN newest IS NOT NULL THEN (SELECT hash FROM entry WHERE position = newest)
    WHEN lastCut > 0 THEN (SELECT head FROM tombstone WHERE tombstone.session = key AND up_to = lastCut)
  END AND last <= (SELECT head FROM ledger) AS isRight
FROM (SELECT key, last, head, cut,
  (SELECT max(position) FROM entry WHERE entry.session = key AND position > cut) AS newest,
  (SELECT ifnull(max(up_to), 0) FROM tombstone WHERE tombstone.session = key) AS lastCut
  FROM session WHERE key > ? AND key <= ? ORDER BY key LIMIT ${PAGE_SESSIONS})`;

/**
 * What a session's row says of its last entry and its cuts, from which the next entry is linked and by which entries are
 * hidden. Each page is read at one moment, so that a hub may write meanwhile.
 */
export function* checkSessionRows(db: DatabaseSync, slice: Slice, only?: number): Steps<LedgerBreak | undefined> {
  const page = db.prepare(PAGE);
  for (let after = (only ?? Number.MIN_SAFE_INTEGER + 1) - 1; ; ) {
    const rows = page.all(after, only ?? Number.MAX_SAFE_INTEGER) as unknown as readonly { key: number; isRight: number | null }[];
    const wrong = rows.find(({ isRight }) => isRight !== 1);
    if (wrong !== undefined) {
      return { what: "session-changed", message: `The row of session number ${wrong.key} does not say what its entries and cuts are.` };
    }
    const last = rows.at(-1);
    if (last === undefined) return undefined;
    after = last.key;
    if (slice.isOver) yield;
  }
}
