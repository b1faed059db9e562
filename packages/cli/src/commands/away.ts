import { command } from "../command.ts";
import { setControl, showControl } from "../inbox/control-command.ts";
import type { Io } from "../io.ts";
import { usage } from "../usage.ts";

export const away = command(
  {
    name: "away",
    positionals: ["[on|off]"],
    about: `Says that you are not at this machine, but can be reached: what agents ask then waits for an answer from your phone or another
browser, instead of being left to the agent because nobody did anything here for five minutes.

  on, off    set it; asks for your PIN
             without either, prints how it is set`,
    options: {
      json: { type: "boolean", default: false, about: "print as JSON" },
    },
  },
  async ({ values, positionals }, io: Io): Promise<number> => {
    const { json } = values;
    const [word] = positionals;
    if (word !== undefined && word !== "on" && word !== "off") throw usage("away is on or off.", "earshot away on");
    if (word === undefined) return showControl(io, { json });
    return setControl("/api/away", { on: word === "on" }, io, { json, done: word === "on" ? "You are away." : "You are back." });
  },
);
