import { parseArgs } from "node:util";
import { setControl } from "../inbox/control-command.ts";
import { EXIT, type Io } from "../io.ts";
import { plainText } from "../terminal/plain-text.ts";
import { usage } from "../usage.ts";

export const POLICY_FORGET_HELP = `Usage: earshot policy forget RULE [--json]

Takes back a rule that was kept together with an answer ("allow this kind from now on"): one that was written into the file, or one
that the hub keeps for a session or a project. earshot away lists those that count.

  --json   print how things are set as JSON

It asks for your PIN. Rules that you wrote yourself are taken out of ~/.earshot/policy.yaml by hand.
`;

export async function policyForget(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { json: { type: "boolean", default: false }, help: { type: "boolean", short: "h", default: false } },
    allowPositionals: true,
  });
  if (values.help) {
    io.out(POLICY_FORGET_HELP);
    return EXIT.ok;
  }
  const [rule, ...rest] = positionals;
  if (rule === undefined || rest.length > 0) throw usage("Name one rule.", "earshot policy forget RULE");
  return setControl("/api/policy/forget", { rule }, io, { json: values.json, done: `Forgotten: ${plainText(rule)}.` });
}
