import type { DatabaseSync } from "node:sqlite";
import { MAX_UNSIGNED_MS } from "../checkpoints.ts";
import type { Seal } from "../seal-line.ts";
import type { LedgerBreak } from "./ledger-break.ts";
import type { Seals } from "./seals.ts";
import { checkSessionRows } from "./session-rows.ts";
import type { Slice, Steps } from "./slice.ts";
import type { Walk } from "./walk.ts";

/**
 * Everything: seal by seal the entries that it covers, then those that none covers yet. Gives the number of the latter, or
 * the first break.
 */
export function* verifyEverything(
  walk: Walk,
  seals: Seals,
  { db, slice, head, now }: { readonly db: DatabaseSync; readonly slice: Slice; readonly head: number; readonly now: number },
): Steps<LedgerBreak | number> {
  yield* walk.cuts.load(slice);
  for (let next = seals.next(); next !== undefined; next = seals.next()) {
    if ("wrong" in next) return next.wrong;
    const wrong = (yield* checkSeal(walk, next.seal, slice)) ?? checkLate(db, next.seal);
    if (wrong !== undefined) return wrong;
    if (slice.isOver) yield;
  }
  const wrongFile = seals.rest();
  if (wrongFile !== undefined) return wrongFile;
  const sealed = walk.entries;
  const wrong =
    (yield* walk.to(head)) ??
    (yield* checkSessionRows(db, slice)) ??
    (yield* walk.requests.check(db, head, slice)) ??
    findUnsigned(db, seals.upTo, now);
  return wrong ?? walk.entries - sealed;
}

/** A hub signs its entries within seconds. Entries that were not signed then may have been made by anybody. */
function findUnsigned(db: DatabaseSync, after: number, now: number): LedgerBreak | undefined {
  const oldest = db.prepare("SELECT position, received_at FROM entry WHERE position > ? ORDER BY position LIMIT 1").get(after);
  if (oldest === undefined || now - Number(oldest["received_at"]) <= MAX_UNSIGNED_MS) return undefined;
  const position = Number(oldest["position"]);
  const message = `The entries from position ${position} on have no signature, though they are older than a minute: the hub was killed before it signed them, or somebody has changed them and removed the seals. Start the hub: it tells how many there are, and signs them as late.`;
  return { what: "unsigned", position, message };
}

/** A hub that was killed leaves a few seconds unsigned. More than that were signed once, by a seal that is gone. */
function checkLate(db: DatabaseSync, { seal, after, upTo, late }: Seal): LedgerBreak | undefined {
  if (late === undefined) return undefined;
  const range = db
    .prepare("SELECT max(received_at) - min(received_at) AS ms FROM entry WHERE position > ? AND position <= ?")
    .get(after, late);
  if (Number(range?.["ms"] ?? 0) <= MAX_UNSIGNED_MS) return undefined;
  const message = `Seal ${seal}, up to position ${upTo}, signs entries of more than a minute that had no signature when the hub started.`;
  return { what: "unsigned", position: after + 1, message };
}

function* checkSeal(walk: Walk, seal: Seal, slice: Slice): Steps<LedgerBreak | undefined> {
  const before = walk.entries;
  const heard = new Map<number, number>();
  const wrong = yield* walk.to(seal.upTo, heard);
  if (wrong !== undefined) return wrong;
  for (const named of seal.sessions) {
    const [key, position] = named;
    const missing = walk.checkHead(seal, named);
    if (missing !== undefined) return missing;
    // The walk went up to the seal's end: what the session said after the position that the seal names was not there then.
    if ((heard.get(key) ?? 0) > position) return added(seal, heard.get(key) ?? 0);
    heard.delete(key);
    if (slice.isOver) yield;
  }
  for (const position of heard.values()) return added(seal, position);
  return checkTombstones(walk, seal) ?? checkCount(walk, seal, walk.entries - before);
}

function checkTombstones({ cuts }: Walk, { seal, after, tombstones }: Seal): LedgerBreak | undefined {
  for (const [number, digest] of tombstones) {
    const found = cuts.digestOf(number);
    if (found === digest) continue;
    return found === undefined
      ? { what: "tombstone-missing", position: after + 1, message: `Tombstone ${number}, which seal ${seal} names, is missing.` }
      : { what: "tombstone-changed", position: after + 1, message: `Tombstone ${number} is not the one that seal ${seal} names.` };
  }
  return undefined;
}

/** Fewer entries than were sealed are explained by cuts only. The chains find them too; this finds what they cannot. */
function checkCount({ cuts }: Walk, { seal, after, upTo, entries, sessions }: Seal, found: number): LedgerBreak | undefined {
  const isCut = () => sessions.some(([key]) => cuts.of(key).some((cut) => cut.upTo > after));
  if (found === entries || (found < entries && (isCut() || (cuts.refresh() && isCut())))) return undefined;
  const message = `Seal ${seal} covers ${entries} entries from position ${after + 1} to ${upTo}; ${found} are there.`;
  return { what: found < entries ? "entry-missing" : "entry-added", position: after + 1, message };
}

function added({ seal, after, upTo }: Seal, position: number): LedgerBreak {
  const message = `The entry at position ${position} was not there when seal ${seal} was made, which covers positions ${after + 1} to ${upTo}.`;
  return { what: "entry-added", position, message };
}
