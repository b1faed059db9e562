import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import type { SampleLedger } from "./sample-ledger.ts";

/** An operation on an intact ledger. */
export type LedgerOperation =
  | { readonly what: "append"; readonly session: number; readonly entries: number }
  | { readonly what: "seal" }
  | { readonly what: "cut"; readonly session: number; readonly part: number; readonly steps: number }
  | { readonly what: "erase"; readonly session: number; readonly part: number }
  | { readonly what: "reopen"; readonly resume: boolean }
  /** The process dies after the seal is in the ledger and before all of it is in the file. */
  | { readonly what: "die sealing"; readonly part: number };

const session = fc.nat({ max: 5 });

export const arbitraryOperation: fc.Arbitrary<LedgerOperation> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ what: fc.constant("append" as const), session, entries: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant("seal" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant("cut" as const),
      session,
      part: fc.constantFrom(0.2, 0.5, 0.9, 1, 1),
      steps: fc.constantFrom(1, 2, 1000, 1000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant("erase" as const), session, part: fc.double({ min: 0, max: 1, noNaN: true }) }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("reopen" as const), resume: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("die sealing" as const), part: fc.double({ min: 0, max: 1, noNaN: true }) }) },
);

export const arbitraryHistory: fc.Arbitrary<readonly LedgerOperation[]> = fc.array(arbitraryOperation, { minLength: 3, maxLength: 25 });

export async function performOperations(ledger: SampleLedger, happenings: readonly LedgerOperation[]): Promise<void> {
  for (const one of happenings) await performOperation(ledger, one);
}

export async function performOperation(ledger: SampleLedger, one: LedgerOperation): Promise<void> {
  switch (one.what) {
    case "append":
      for (let entry = 0; entry < one.entries; entry++) ledger.append(one.session);
      return;
    case "seal":
      await ledger.seal();
      return;
    case "cut": {
      const last = lastOf(ledger, one.session);
      if (last > 0) await ledger.cut(one.session, { upTo: Math.floor(last * one.part), steps: one.steps });
      return;
    }
    case "erase": {
      const wanted = Math.ceil(lastOf(ledger, one.session) * one.part);
      const sql =
        "SELECT ifnull(min(position), 0) AS position FROM entry JOIN session ON session.key = entry.session WHERE id = ? AND position >= ?";
      await ledger.erase(Number(ledger.db.prepare(sql).get(`session ${one.session}`, wanted)?.["position"]));
      return;
    }
    case "reopen":
      await ledger.reopen({ resume: one.resume });
      return;
    case "die sealing": {
      ledger.append(0);
      const line = `${await ledger.seal()}\n`;
      const text = readFileSync(ledger.sealFile, "utf8");
      writeFileSync(ledger.sealFile, text.slice(0, text.length - Math.floor(line.length * one.part)));
      await ledger.reopen({ resume: false });
      return;
    }
  }
}

/** Without creating the session, unlike `keyOf`. */
function lastOf(ledger: SampleLedger, number: number): number {
  const sql = "SELECT ifnull(max(position), 0) AS last FROM entry JOIN session ON session.key = entry.session WHERE id = ?";
  return Number(ledger.db.prepare(sql).get(`session ${number}`)?.["last"]);
}
