import type { KeyObject } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { readSeal } from "../seal-line.ts";
import type { LedgerBreak } from "./ledger-break.ts";
import { checkSessionRows } from "./session-rows.ts";
import type { Slice, Steps } from "./slice.ts";
import type { Walk } from "./walk.ts";

export interface OneSession {
  readonly db: DatabaseSync;
  readonly publicKey: KeyObject;
  readonly session: number;
  readonly slice: Slice;
  readonly head: number;
}

/** So many seals are searched at once for those that name the session. */
const SEALS = 200;

/**
 * One session: its chain, and the seals that name it. Whether seals are missing is a question about the whole ledger. Gives
 * the number of entries that no seal covers yet, or the first break.
 */
export function* verifyOneSession(walk: Walk, { db, publicKey, session, slice, head }: OneSession): Steps<LedgerBreak | number> {
  yield* walk.cuts.load(slice);
  const { newest, sealedUpTo } = db
    .prepare("SELECT ifnull(max(number), 0) AS newest, ifnull(max(up_to), 0) AS sealedUpTo FROM seal")
    .get() as { newest: number; sealedUpTo: number };
  const naming = db.prepare("SELECT number, line FROM seal WHERE number > ? AND number <= ? AND instr(line, ?) > 0 ORDER BY number");
  let sealed = 0;
  for (let after = 0; after < newest; after += SEALS) {
    for (const { number, line } of naming.all(after, Math.min(after + SEALS, newest), `[${session},`)) {
      const seal = typeof line === "string" ? readSeal(line, publicKey) : undefined;
      if (seal === undefined) {
        return { what: "seal-changed", position: walk.chains.last + 1, message: `Seal ${number} was not signed with the ledger's key.` };
      }
      for (const named of seal.sessions.filter(([key]) => key === session)) {
        const wrong = (yield* walk.to(named[1])) ?? walk.checkHead(seal, named);
        if (wrong !== undefined) return wrong;
        sealed = walk.entries;
      }
    }
    if (slice.isOver) yield;
  }
  const wrong = yield* walk.to(sealedUpTo);
  if (wrong !== undefined) return wrong;
  if (walk.entries > sealed) {
    const position = walk.chains.last;
    return { what: "entry-added", position, message: `The entry at position ${position} was not there when its place was sealed.` };
  }
  return (yield* walk.to(head)) ?? (yield* checkSessionRows(db, slice, session)) ?? walk.entries - sealed;
}
