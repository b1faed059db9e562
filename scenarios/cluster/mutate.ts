import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

/**
 * Negative controls of the drill: sources changed while they are loaded, in every hub and in the drill. `node --import` loads this file.
 * Each edit is a file, a text that occurs in it exactly once, and its replacement.
 */
const MUTANTS = {
  /** Positions come from a sequence, drawn without the append lock. */
  sequence: [
    ["ledger/postgres/postgres-engine.ts", "SELECT head FROM ledger WHERE shard = 0 FOR UPDATE", "SELECT 1"],
    ["ledger/postgres/postgres-snapshot.ts", "SELECT head, ${", "SELECT nextval('public.drill') * 1000 AS head, ${"],
    ["ledger/postgres/write-rows.ts", "SET head = $1", "SET head = greatest(head, $1)"],
  ],
  /** A hub hears of other hubs' commits through notifications alone. */
  poll: [["ledger/postgres/postgres-engine.ts", "setInterval(() => void poll(), POLL_MS)", "setTimeout(() => {}, 0)"]],
  /** Work under an older lease number is taken. */
  fence: [["judge/src/decision.ts", "decision.fence !== shared?.fence", "false"]],
} as const satisfies Readonly<Record<string, readonly (readonly [string, string, string])[]>>;

export type Mutant = keyof typeof MUTANTS;
export const MUTANT_VARIABLE = "EARSHOT_DRILL_MUTANT";

const name = process.env[MUTANT_VARIABLE];
if (name !== undefined) {
  if (!(name in MUTANTS)) throw new Error(`There is no mutant ${name}; there are: ${Object.keys(MUTANTS).join(", ")}.`);
  const edits = MUTANTS[name as Mutant];
  registerHooks({
    load(url, context, nextLoad) {
      const own = edits.filter(([file]) => url.endsWith(file));
      if (own.length === 0) return nextLoad(url, context);
      const source = own.reduce(edit, readFileSync(new URL(url), "utf8"));
      return { format: "module-typescript", source, shortCircuit: true };
    },
  });
}

function edit(source: string, [file, from, to]: readonly [string, string, string]): string {
  if (source.split(from).length !== 2) throw new Error(`${file} does not contain exactly once: ${from}`);
  return source.replace(from, () => to);
}
