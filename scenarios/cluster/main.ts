import { parseArgs } from "node:util";
import { MUTANT_VARIABLE } from "./mutate.ts";

/**
 * The drill: `npm run drill:cluster -- --minutes 10`. Needs `npm run build`. With the name of a mutant in EARSHOT_DRILL_MUTANT the hubs
 * run from source with that defect, and the drill must fail.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    writers: { type: "string", default: "64" },
    listeners: { type: "string", default: "20" },
  },
});
const log = (line: string) => void process.stderr.write(`${line}\n`);
// Loaded after the hooks of a mutant.
const { runDrill, isFaultless } = await import("./drill.ts");
const report = await runDrill({
  seconds: 60 * Number(values.minutes),
  writers: Number(values.writers),
  listeners: Number(values.listeners),
  isMutant: process.env[MUTANT_VARIABLE] !== undefined,
  log,
});
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
process.exitCode = isFaultless(report) ? 0 : 1;
