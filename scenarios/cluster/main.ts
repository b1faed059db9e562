import { parseArgs } from "node:util";
import { runDrill } from "./drill.ts";

/** The drill at full length: `node tools/install.cjs scenarios/cluster/main.ts --minutes 10`. Needs `npm run build`. */
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    writers: { type: "string", default: "64" },
    listeners: { type: "string", default: "20" },
  },
});
const log = (line: string) => void process.stdout.write(`${line}\n`);
const report = await runDrill({
  seconds: 60 * Number(values.minutes),
  writers: Number(values.writers),
  listeners: Number(values.listeners),
  log,
});
log(JSON.stringify(report, null, 2));
const { lost, duplicated, misheard, misdecided, verifies } = report;
process.exitCode = verifies && lost + duplicated + misheard + misdecided === 0 ? 0 : 1;
