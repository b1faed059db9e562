import { nearest } from "@earshot/protocol/nearest";
import { EarshotError, PROBLEMS, type Problem } from "@earshot/protocol/problem";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { VERSION } from "@earshot/terminal/version";
import type { CliCommand } from "./command.ts";

export async function main(argv: readonly string[], io: CommandIo): Promise<number> {
  const [name = "start", ...rest] = argv;
  // Agents wait for it: it loads no declarations, and another exit code would be read as an answer.
  if (name === "hook") {
    try {
      return await (await import("./commands/hook.ts")).hook(rest, io);
    } catch {
      return EXIT.ok;
    }
  }
  if (name === "--version" || name === "-v" || name === "version") {
    io.out(`${VERSION}\n`);
    return EXIT.ok;
  }
  try {
    return await dispatch(name, rest, io);
  } catch (error) {
    return fail(error, io);
  }
}

async function dispatch(name: string, rest: readonly string[], io: CommandIo): Promise<number> {
  const { ALL_COMMANDS, PREFIXES } = await import("./commands.ts");
  const run = async (found: string, argv: readonly string[]) =>
    ((await ALL_COMMANDS[found]?.load()) as CliCommand | undefined)?.(argv, io) ?? EXIT.unusable;
  if (name === "help" || name === "--help" || name === "-h") return help(rest, io);
  const two = `${name} ${rest[0] ?? ""}`;
  if (Object.hasOwn(ALL_COMMANDS, two)) return run(two, rest.slice(1));
  if (Object.hasOwn(ALL_COMMANDS, name)) return run(name, rest);
  const written = WRITTEN_ELSEWHERE[two] ?? WRITTEN_ELSEWHERE[name];
  if (written !== undefined) return dispatch(written.name, [...written.words, ...rest.slice(written.taken)], io);
  if (name.startsWith("-")) return run("start", [name, ...rest]);
  if (!Object.hasOwn(PREFIXES, name))
    throw unknownCommand(name, [...Object.keys(ALL_COMMANDS), ...Object.keys(PREFIXES), "help"], {
      alike: describedBy(name, ALL_COMMANDS),
    });
  const { prefixHelp } = await import("./help.ts");
  const [verb] = rest;
  if (verb !== undefined && !verb.startsWith("-")) {
    const known = Object.keys(ALL_COMMANDS).filter((one) => one.startsWith(`${name} `));
    throw unknownCommand(two, known, { hint: `earshot ${name} --help` });
  }
  const text = prefixHelp(name);
  const isAsked = verb !== undefined;
  (isAsked ? io.out : io.err)(text);
  return isAsked ? EXIT.ok : EXIT.unusable;
}

/** Command names in files that Earshot writes for other programs, which never change. */
const WRITTEN_ELSEWHERE: Readonly<Record<string, { readonly name: string; readonly words: readonly string[]; readonly taken: number }>> = {
  remove: { name: "init", words: ["--undo"], taken: 0 },
  "service install": { name: "hub", words: ["autostart", "on"], taken: 1 },
  "service remove": { name: "hub", words: ["autostart", "off"], taken: 1 },
};

/** `help`, `help all`, `help NAME`. */
async function help(names: readonly string[], io: CommandIo): Promise<number> {
  const { allHelp, firstHelp } = await import("./help.ts");
  if (names.length === 0) io.out(firstHelp());
  else if (names.join() === "all") io.out(allHelp());
  else return dispatch(names[0] ?? "", [...names.slice(1), "--help"], io);
  return EXIT.ok;
}

/** Commands a word may mean, in singular or plural: in the name, at the description's start, or in it. */
function describedBy(word: string, commands: Readonly<Record<string, { readonly does: string }>>): readonly string[] {
  const stem = word.toLowerCase().replace(/s$/, "");
  if (stem.length < 3) return [];
  const isIn = (text: string) => text.split(/\W+/).some((one) => one.startsWith(stem));
  const rankOf = (name: string, does: string) => [isIn(name), does.startsWith(stem), isIn(does)].indexOf(true);
  return Object.entries(commands)
    .map(([name, { does }]) => ({ name, rank: rankOf(name, does) }))
    .filter(({ rank }) => rank >= 0)
    .sort((one, other) => one.rank - other.rank)
    .map(({ name }) => name);
}

/** `alike` are commands whose descriptions have the word. */
function unknownCommand(
  name: string,
  known: readonly string[],
  { alike = [], hint = "earshot help all" }: { readonly alike?: readonly string[]; readonly hint?: string },
): EarshotError {
  const near = [...new Set([...alike, ...nearest(name, known)])].slice(0, 3);
  return new EarshotError({
    code: "WRONG_USAGE",
    message: `There is no command ${JSON.stringify(name)}.`,
    hint:
      near.length === 0 ? `All of them: ${hint}` : `Did you mean ${near.map((one) => `earshot ${one}`).join(", ")}? All of them: ${hint}`,
  });
}

function fail(error: unknown, io: CommandIo): number {
  if (EarshotError.is(error)) tell(io, error.problem);
  else tell(io, { code: "INTERNAL", message: error instanceof Error ? `${error.name}: ${error.message}` : "An unknown failure." });
  return EXIT.unusable;
}

function tell(io: CommandIo, problem: Problem): void {
  io.err(`earshot: ${plainText(problem.message)}\n${plainText(problem.hint ?? PROBLEMS[problem.code].help)}\n`);
}
