import { parseArgs } from "node:util";
import { setControl, showControl } from "../inbox/control-command.ts";
import { EXIT, type Io } from "../io.ts";
import { usage } from "../usage.ts";

export const AWAY_HELP = `Usage: earshot away [on|off] [--json]

Says that you are not at this machine, but can be reached: what agents ask then waits for an answer from your phone or another
browser, instead of being left to the agent because nobody did anything here for five minutes.

  on, off    set it; asks for your PIN
             without either, prints how it is set
  --json     print as JSON
`;

export async function away(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { json: { type: "boolean", default: false }, help: { type: "boolean", short: "h", default: false } },
    allowPositionals: true,
  });
  const { json, help } = values;
  if (help) {
    io.out(AWAY_HELP);
    return EXIT.ok;
  }
  const [word, ...rest] = positionals;
  if (rest.length > 0 || (word !== undefined && word !== "on" && word !== "off")) throw usage("away is on or off.", "earshot away on");
  if (word === undefined) return showControl(io, { json });
  return setControl("/api/away", { on: word === "on" }, io, { json, done: word === "on" ? "You are away." : "You are back." });
}
