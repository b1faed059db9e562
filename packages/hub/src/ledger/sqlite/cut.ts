import type { DatabaseSync } from "node:sqlite";
import type { CutReason } from "../ledger.ts";
import type { Tombstone } from "../seal-line.ts";
import { inTransaction } from "./in-transaction.ts";
import { entriesBy, positionsBy } from "./registers.ts";
import { emptyLog, writeBackSome } from "./write-back.ts";

/** What signs tombstones, and seals them later: the `Sealer`. */
export interface TombstoneSigner {
  signTombstone(tombstone: Tombstone): string;
  noteTombstone(number: number, line: string): void;
}

export interface Cut {
  /** The session's key. */
  readonly session: number;
  /** Up to and including this position; everything the session has when left out. */
  readonly upTo?: number;
  readonly reason: CutReason;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Told that somebody reads from the log, so that it could not be emptied: what was removed still stands there. */
  readonly onLogKept?: () => void;
}

const STEP_ENTRIES = 500;
const FEWEST_ENTRIES = 64;
const STEP_MS = 5;
/** With its commit. Entries of a session stand in many pages, and a commit writes all that were touched. */
const LONG_MS = 10;
const SHORT_MS = 4;

/**
 * Removes entries of a session in small transactions, one per step; between two steps others may write. Each step gives the
 * number of entries removed so far. No transaction may be open when a step begins.
 *
 * The first transaction writes the tombstone, which explains everything that follows: should the process die half-way, the
 * entries that are still there are remains, and `resumeCuts` removes them. The newest go first, so that what remains is still
 * linked from the beginning and can be verified. Entries that come meanwhile are linked to the tombstone's head; hence
 * whoever takes a session up must prefer its tombstone to an older entry.
 */
export function* cutSession(db: DatabaseSync, signer: TombstoneSigner, cut: Cut): Generator<number, number> {
  const { upTo, number, line } = inTransaction(db, () => bury(db, signer, cut));
  if (number !== undefined) signer.noteTombstone(number, line);
  if (upTo === undefined) return 0;
  yield 0;
  const removed = yield* removeUpTo(db, cut.session, upTo);
  // What is old goes with the log, soon enough; who deletes wants it gone.
  if (cut.reason !== "pruned" && !(yield* emptyLog(db, removed))) cut.onLogKept?.();
  return removed;
}

/** Finishes what was interrupted: to be run when the ledger is opened. */
export function* resumeCuts(db: DatabaseSync): Generator<number, number> {
  // Asked all at once: a ledger may have had a hundred thousand sessions cut, and nearly always none of them has remains.
  const cuts = db
    .prepare(
      `SELECT session, max(up_to) AS upTo FROM tombstone WHERE EXISTS (${positionsBy("entry_by_session", "1", "session = tombstone.session AND position <= up_to")}) GROUP BY session`,
    )
    .all();
  let removed = 0;
  for (const { session, upTo } of cuts as unknown as readonly { session: number; upTo: number }[]) {
    removed += yield* removeUpTo(db, session, upTo);
  }
  if (removed > 0) yield* emptyLog(db, removed);
  return removed;
}

type Burial =
  | { readonly upTo: number; readonly number: number; readonly line: string }
  /** There is nothing to cut, or only what an earlier cut has left. */
  | { readonly upTo: number | undefined; readonly number?: never; readonly line?: never };

/** Writes the tombstone, and removes what belongs to the entries but is no entry. Gives the position of the last entry to go. */
function bury(db: DatabaseSync, signer: TombstoneSigner, { session, upTo: wanted, reason, now }: Cut): Burial {
  const last = db
    .prepare(`${entriesBy("entry_by_session", "position, hash", "session = ?1 AND position <= ?2")} ORDER BY position DESC LIMIT 1`)
    .get(session, wanted ?? Number.MAX_SAFE_INTEGER) as { position: number; hash: Uint8Array } | undefined;
  const before = db.prepare("SELECT ifnull(max(up_to), 0) AS upTo FROM tombstone WHERE session = ?").get(session) as { upTo: number };
  const whose = db
    .prepare(
      "SELECT session.key, protocol, name AS source, id FROM session JOIN source ON source.key = session.source WHERE session.key = ?",
    )
    .get(session) as Tombstone["session"] | undefined;
  if (last === undefined || whose === undefined) return { upTo: undefined };
  // Remains of an earlier cut: they go in its order, the newest first, or what is left of them would not be linked.
  if (last.position <= before.upTo) return { upTo: before.upTo };
  const { entries } = db
    .prepare(
      `SELECT count(*) AS entries FROM (${positionsBy("entry_by_session", "position", "session = ?1 AND position > ?2 AND position <= ?3")})`,
    )
    .get(session, before.upTo, last.position) as { entries: number };
  const { number } = db.prepare("SELECT ifnull(max(number), 0) + 1 AS number FROM tombstone").get() as { number: number };
  const head = Buffer.from(last.hash);
  const line = signer.signTombstone({
    tombstone: number,
    at: new Date(now).toISOString(),
    session: { ...whose },
    after: before.upTo,
    upTo: last.position,
    head: head.toString("hex"),
    entries,
    reason,
  });
  db.prepare("INSERT INTO tombstone (number, session, up_to, head, line) VALUES (?, ?, ?, ?, ?)").run(
    number,
    session,
    last.position,
    head,
    line,
  );
  const more = db.prepare(`${positionsBy("entry_by_session", "1", "session = ?1 AND position > ?2")} LIMIT 1`).get(session, last.position);
  if (more === undefined) {
    db.prepare("DELETE FROM lifecycle WHERE session = ?").run(session);
    db.prepare("DELETE FROM request WHERE session = ?").run(session);
  } else {
    // A question that still waits for its answer stays until it has one.
    db.prepare("DELETE FROM request WHERE session = ? AND position <= ? AND state <> 'open'").run(session, last.position);
  }
  return { upTo: last.position, number, line };
}

function* removeUpTo(db: DatabaseSync, session: number, upTo: number): Generator<number, number> {
  const find = db.prepare(
    `${entriesBy("entry_by_session", "position", "session = ?1 AND position <= ?2")} ORDER BY position DESC LIMIT ?3`,
  );
  const remove = db.prepare("DELETE FROM entry WHERE position = ?");
  const removeName = db.prepare("DELETE FROM answerable WHERE position = ?");
  for (let removed = 0, entries = FEWEST_ENTRIES; ; ) {
    const positions = find.all(session, upTo, entries) as unknown as readonly { position: number }[];
    if (positions.length === 0) return removed;
    const began = performance.now();
    removed += inTransaction(db, () => {
      const until = began + STEP_MS;
      let gone = 0;
      for (const { position } of positions) {
        removeName.run(position);
        remove.run(position);
        gone++;
        if (performance.now() > until) break;
      }
      return gone;
    });
    const tookMs = performance.now() - began;
    if (tookMs > LONG_MS) entries = Math.max(FEWEST_ENTRIES, entries >> 1);
    else if (tookMs < SHORT_MS) entries = Math.min(STEP_ENTRIES, entries << 1);
    yield removed;
    if (writeBackSome(db)) yield removed;
  }
}
