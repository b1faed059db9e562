import { CATALOGUE_EDITION, PROTOCOLS, type ProtocolName } from "@earshot/protocol";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { requireOneOf } from "@earshot/terminal/usage";
import { command } from "../command.ts";
import { listLines, PLAIN_OPTION } from "../terminal/table.ts";

export const rulesCommand = command(
  {
    name: "check rules",
    positionals: [],
    about: `Lists the rules that recordings are checked by: id, severity, and what must hold. Rules marked "live" can only be decided
by driving a running producer or subscriber.`,
    options: {
      protocol: { type: "string", choices: ["aaep", "aep", "aop"], about: "only the rules of this protocol" },
      level: { type: "string", choices: ["1", "2", "3"], about: "only those up to this conformance level" },
      ...PLAIN_OPTION,
      json: { type: "boolean", default: false, about: "print them as JSON" },
    },
  },
  async ({ values }, io: CommandIo): Promise<number> => {
    const names: readonly ProtocolName[] =
      values.protocol === undefined
        ? ["aaep", "aep", "aop"]
        : [requireOneOf("--protocol", values.protocol, ["aaep", "aep", "aop"] as const)];
    const level = values.level === undefined ? 3 : Number(requireOneOf("--level", values.level, ["1", "2", "3"] as const));
    if (values.json) {
      const listed = names.flatMap((name) => Object.entries(PROTOCOLS[name].rules).map(([rule, entry]) => ({ rule, ...entry })));
      io.out(`${JSON.stringify({ catalogue: CATALOGUE_EDITION, rules: listed.filter((entry) => entry.level <= level) }, null, 2)}\n`);
      return EXIT.ok;
    }
    for (const name of names) {
      const { title, version, rules: all } = PROTOCOLS[name];
      const listed = Object.entries(all).filter(([, entry]) => entry.level <= level);
      io.out(`${title} ${version}: ${listed.length} rules\n`);
      const severityOf = (entry: (typeof all)[string]) => `${entry.severity}${entry.decided === "live" ? ", live" : ""}`;
      const lines = await listLines(io, values.plain, {
        items: listed,
        columns: ["Rule", "Severity", "What must hold"],
        cut: 2,
        rowOf: ([id, entry]) => [id, severityOf(entry), entry.title],
        sentencesOf: ([id, entry]) => [`  ${id}  ${severityOf(entry)}`, `      ${entry.title}`],
      });
      io.out(`${lines.join("\n")}\n\n`);
    }
    io.out(`Rule catalogue ${CATALOGUE_EDITION.version} of ${CATALOGUE_EDITION.date}. "earshot check explain RULE" shows examples.\n`);
    return EXIT.ok;
  },
);
