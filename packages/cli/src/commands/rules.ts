import { parseArgs } from "node:util";
import { CATALOGUE, PROTOCOLS, type ProtocolName } from "@earshot/protocol";
import { EXIT, type Io } from "../io.ts";
import { oneOf } from "../usage.ts";

export const RULES_HELP = `Usage: earshot rules [--protocol aaep|aep|aop] [--level 1|2|3] [--json]

Lists the rules that recordings are checked by: id, severity, and what must hold. Rules marked "live" can only be decided
by driving a running producer or subscriber.
`;

export async function rules(argv: readonly string[], io: Io): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      protocol: { type: "string" },
      level: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    io.out(RULES_HELP);
    return EXIT.ok;
  }
  const names: readonly ProtocolName[] =
    values.protocol === undefined ? ["aaep", "aep", "aop"] : [oneOf("--protocol", values.protocol, ["aaep", "aep", "aop"] as const)];
  const level = values.level === undefined ? 3 : Number(oneOf("--level", values.level, ["1", "2", "3"] as const));
  if (values.json) {
    const listed = names.flatMap((name) => Object.entries(PROTOCOLS[name].rules).map(([rule, entry]) => ({ rule, ...entry })));
    io.out(`${JSON.stringify({ catalogue: CATALOGUE, rules: listed.filter((entry) => entry.level <= level) }, null, 2)}\n`);
    return EXIT.ok;
  }
  for (const name of names) {
    const { title, version, rules: all } = PROTOCOLS[name];
    const listed = Object.entries(all).filter(([, entry]) => entry.level <= level);
    io.out(`${title} ${version}: ${listed.length} rules\n`);
    for (const [id, entry] of listed)
      io.out(`  ${id}  ${entry.severity}${entry.decided === "live" ? ", live" : ""}\n      ${entry.title}\n`);
    io.out("\n");
  }
  io.out(`Rule catalogue ${CATALOGUE.version} of ${CATALOGUE.date}. "earshot explain RULE" shows examples.\n`);
  return EXIT.ok;
}
