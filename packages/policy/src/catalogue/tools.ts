import languages from "./languages.json" with { type: "json" };
import { nameSet, namesLike, oneOf } from "./names.ts";
import rows from "./tools.json" with { type: "json" };

/** Effects of tools other than a shell, by the tool's full lowercase name. */
export const TOOL_ROWS = rows.map(({ effect, names }) => ({ effect, names: oneOf(names) }));

/** A name that is made of one of these words changes something for good, or for others: `mcp__db__dropTable`. */
export const CHANGING_WORDS = nameSet("changing words of tools");

/** Servers that keep secrets: whatever they give out is one. */
export const SECRET_SERVER = namesLike("servers of secrets");

/** A name that begins with one of these only looks. */
export const LOOKING_WORDS = nameSet("looking words");

/** Tools of agents that change nothing but what they name, and nothing beside files. */
export const HARMLESS_TOOLS = namesLike("harmless tools");

/** Members of arguments, by what they hold. */
export const MEMBERS = {
  command: namesLike("members: command", "i"),
  program: namesLike("members: program", "i"),
  arguments: namesLike("members: arguments", "i"),
  action: namesLike("members: action", "i"),
  typed: namesLike("members: typed", "i"),
  code: namesLike("members: code", "i"),
  query: namesLike("members: query", "i"),
  url: namesLike("members: url", "i"),
  path: namesLike("members: path", "i"),
} as const;

/** The language of code that a tool is given, by letters in the tool's name or in the name of the argument. The first counts. */
export function languageOf(words: readonly string[]): string | undefined {
  return languages.find((row) => row.words.split(" ").some((letters) => words.some((word) => word.includes(letters))))?.language;
}
