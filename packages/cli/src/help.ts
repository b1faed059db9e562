import { capitalize } from "@earshot/narrate/amounts";
import { ALL_COMMANDS, FIRST_COMMANDS, GROUPS, PREFIXES } from "./commands.ts";

type Row = readonly [name: string, does: string];

/** `earshot --help`: the most common commands on one screen. */
export function firstHelp(): string {
  const rows = Object.entries(FIRST_COMMANDS).map(([title, names]) => [title, names.map((name): Row => [name, doesOf(name)])] as const);
  return `Usage: earshot COMMAND [options]

${sections(rows)}

Run earshot help all for all commands, earshot COMMAND --help for one. earshot alone is the same as earshot start.
`;
}

/** `earshot help all`. */
export function allHelp(): string {
  const rows = GROUPS.map(({ title, commands }) => [title, Object.entries(commands).map(([name, { does }]): Row => [name, does])] as const);
  return `Usage: earshot COMMAND [options]\n\n${sections(rows)}\n\nRun earshot COMMAND --help for one command. earshot --version prints the version.\n`;
}

/** `earshot hub`: the commands with this prefix. */
export function prefixHelp(prefix: string): string {
  const rows = Object.entries(ALL_COMMANDS).flatMap(([name, { does }]): Row[] => (name.startsWith(`${prefix} `) ? [[name, does]] : []));
  const first = rows[0]?.[0] ?? prefix;
  return `Usage: earshot ${prefix} COMMAND [options]\n\n${capitalize(doesOf(prefix))}.\n\n${table(rows)}\n\nRun earshot ${first} --help, or the same with another command, for its options.\n`;
}

function doesOf(name: string): string {
  return ALL_COMMANDS[name]?.does ?? PREFIXES[name] ?? "";
}

function sections(rows: readonly (readonly [title: string, rows: readonly Row[]])[]): string {
  const width = Math.max(...rows.flatMap(([, list]) => list.map(([name]) => name.length)));
  return rows.map(([title, list]) => `${title}\n${table(list, width)}`).join("\n\n");
}

function table(rows: readonly Row[], width = Math.max(...rows.map(([name]) => name.length))): string {
  return rows.map(([name, does]) => `  ${name.padEnd(width)}  ${does}`).join("\n");
}
