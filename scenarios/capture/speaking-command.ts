import { aaepSession } from "./events.ts";

/** A command that prints a session slowly and reports its progress on standard error: `speaking-command.ts EVENTS`. */
const [length = "10"] = process.argv.slice(2);
process.stderr.write("at work\n");
for (const [index, text] of aaepSession(Number(length)).entries()) {
  if (!process.stdout.write(`${text}\n`)) await new Promise((taken) => process.stdout.once("drain", taken));
  if (index % 20 === 0) await new Promise((later) => setTimeout(later, 20));
}
process.stderr.write("done\n");
