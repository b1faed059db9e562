import { formatDuration } from "@earshot/narrate";
import { command } from "../command.ts";
import { setControl, showControl } from "../inbox/control-command.ts";
import type { Io } from "../io.ts";
import { readDuration } from "../keeping/quantities.ts";
import { usage } from "../usage.ts";

const LONGEST_MS = 24 * 3_600_000;

export const pause = command(
  {
    name: "pause",
    positionals: ["[TIME|off]"],
    about: `Leaves everything to the agents for a while: no rule decides, nothing is asked here, and what they do is recorded all the same.
A pause ends by itself, is recorded with who and why, and is shown for as long as it lasts.

  TIME            30m, 2h; at most 24h
  off             ends it now`,
    options: {
      reason: { type: "string", value: "TEXT", about: "why" },
      json: { type: "boolean", default: false, about: "print how things are set as JSON" },
    },
    notes: "It asks for your PIN. Sessions that were stopped stay stopped.",
  },
  async ({ values, positionals }, io: Io): Promise<number> => {
    const { reason, json } = values;
    const [time] = positionals;
    if (time === undefined) return showControl(io, { json });
    if (time === "off") return setControl("/api/pause", { forMs: 0 }, io, { json, done: "The pause is over." });
    const forMs = readDuration(time, "earshot pause");
    if (forMs === 0 || forMs > LONGEST_MS) throw usage("A pause lasts at most 24 hours.", "earshot pause 30m, or 24h");
    if (reason === undefined || reason.trim() === "") throw usage("--reason is missing.", 'earshot pause 30m --reason "why"');
    return setControl("/api/pause", { forMs, reason }, io, { json, done: `Paused for ${formatDuration(forMs)}.` });
  },
);
