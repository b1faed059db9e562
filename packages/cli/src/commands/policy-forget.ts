import { command } from "../command.ts";
import { setControl } from "../inbox/control-command.ts";
import type { Io } from "../io.ts";
import { plainText } from "../terminal/plain-text.ts";

export const policyForget = command(
  {
    name: "policy forget",
    positionals: ["RULE"],
    about: `Takes back a rule that was kept together with an answer ("allow this kind from now on"): one that was written into the file, or one
that the hub keeps for a session or a project. earshot away lists those that count.`,
    options: {
      json: { type: "boolean", default: false, about: "print how things are set as JSON" },
    },
    notes: "It asks for your PIN. Rules that you wrote yourself are taken out of ~/.earshot/policy.yaml by hand.",
  },
  async ({ values, positionals }, io: Io): Promise<number> => {
    const [rule = ""] = positionals;
    return setControl("/api/policy/forget", { rule }, io, { json: values.json, done: `Forgotten: ${plainText(rule)}.` });
  },
);
