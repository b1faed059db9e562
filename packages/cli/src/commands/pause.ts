import { parseArgs } from "node:util";
import { setControl, showControl } from "../inbox/control-command.ts";
import { durationInWords } from "../inbox/time-words.ts";
import { EXIT, type Io } from "../io.ts";
import { readDuration } from "../keeping/quantities.ts";
import { usage } from "../usage.ts";

export const PAUSE_HELP = `Usage: earshot pause TIME --reason TEXT
       earshot pause off
       earshot pause [--json]

Leaves everything to the agents for a while: no rule decides, nothing is asked here, and what they do is recorded all the same.
A pause ends by itself, is recorded with who and why, and is shown for as long as it lasts.

  TIME            30m, 2h; at most 24h
  off             ends it now
  --reason TEXT   why
  --json          print how things are set as JSON

It asks for your PIN. Sessions that were stopped stay stopped.
`;

const LONGEST_MS = 24 * 3_600_000;

export async function pause(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: {
      reason: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
    allowPositionals: true,
  });
  const { reason, json, help } = values;
  if (help) {
    io.out(PAUSE_HELP);
    return EXIT.ok;
  }
  const [time, ...rest] = positionals;
  if (rest.length > 0) throw usage("pause takes a length of time, or off.", 'earshot pause 30m --reason "…"');
  if (time === undefined) return showControl(io, { json });
  if (time === "off") return setControl("/api/pause", { forMs: 0 }, io, { json, done: "The pause is over." });
  const forMs = readDuration(time, "earshot pause");
  if (forMs === 0 || forMs > LONGEST_MS) throw usage("A pause lasts at most 24 hours.", "earshot pause 30m, or 24h");
  if (reason === undefined || reason.trim() === "") throw usage("--reason is missing.", 'earshot pause 30m --reason "why"');
  return setControl("/api/pause", { forMs, reason }, io, { json, done: `Paused for ${durationInWords(forMs)}.` });
}
