import languages from "./languages.json" with { type: "json" };
import { nameSet, namesLike, oneWordOf } from "./names.ts";
import rows from "./tools.json" with { type: "json" };

/** Effects of tools other than a shell, by the tool's full lowercase name. */
export const TOOL_ROWS = rows.map(({ effect, names }) => ({ effect, names: oneWordOf(names) }));

/** A tool name with one of these words changes something permanently or for others: `mcp__db__dropTable`. */
export const CHANGING_WORDS = nameSet("changing words of tools");

/** Servers that store secrets: everything they return is one. */
export const SECRET_SERVER = namesLike("servers of secrets");

/** A tool name that begins with one of these words only reads. */
export const LOOKING_WORDS = nameSet("looking words");

/** Agent tools that change only what they name, and nothing but files. */
export const HARMLESS_TOOLS = namesLike("harmless tools");

/** Names of argument members, by their contents. */
export const TOOL_MEMBER_NAMES = {
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

/** The language of code given to a tool, by letters in the name of the tool or of the argument. The first match counts. */
export function languageOfToolCode(words: readonly string[]): string | undefined {
  return languages.find((row) => row.words.split(" ").some((letters) => words.some((word) => word.includes(letters))))?.language;
}
