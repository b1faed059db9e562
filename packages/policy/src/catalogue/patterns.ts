import { namesLike } from "./names.ts";
import data from "./patterns.json" with { type: "json" };

/** A regular expression, with its flags if it has any. */
type Source = string | readonly [source: string, flags: string];

function toPattern(source: Source): RegExp {
  return typeof source === "string" ? new RegExp(source) : new RegExp(...source);
}

/** Patterns that rows name with `~`. They are searched for in the arguments, joined with single spaces. */
export const ROW_PATTERNS: Readonly<Record<string, RegExp>> = Object.fromEntries(
  Object.entries(data.rows).map(([name, source]) => [name, toPattern(source as Source)]),
);

type NamedPattern = readonly [meaning: string, source: string, flags?: string];
const named = Object.entries(data.named as unknown as Record<string, NamedPattern>).map(([name, [, source, flags]]) => [
  name,
  new RegExp(source, flags),
]);

/** Patterns that code uses by name; patterns.json says what each is for. */
export const {
  CHECKED_OUT_FILE,
  DELETING_NAME,
  DELETING_OPTION,
  DESTROYING_QUERY,
  HARMLESS_SETTING,
  KNOWN_OUTPUT,
  LOADING_OPTION,
  OWN_PROGRAM_FOLDER,
  PLAIN_PROGRAM,
  PROGRAM_FOLDER,
  RUN_FLAG,
  SECRET_VARIABLE,
  SOUGHT_SECRET,
  TEXT_OPTION,
  TMUX_LOOKS,
  USUAL_INTERFACE,
  USUAL_SERVER,
} = Object.fromEntries(named) as Readonly<Record<keyof typeof data.named, RegExp>>;

/** Programs with an option that names another program, and the programs that are commonly named there. */
export const NAMES_HELPER = namesLike("programs that name a helper");
export const HELPER_PROGRAMS = namesLike("helpers");

/** Programs that show or send file contents and whose arguments are not parsed here. */
export const SHOWING_PROGRAM = namesLike("showing programs");

/** Words of package managers before the packages. */
export const PACKAGE_VERB = namesLike("verbs of package managers");

/** Options of package managers, container engines and ssh that take the next word as their value. */
export const VALUED = data.valued;

/**
 * Patterns for a text as a whole. `needs`: substrings, at least one of which must occur for the pattern to match. Quotes and brackets are
 * left out.
 */
export const WHOLE_TEXTS = data.texts.map(({ pattern, ...text }) => ({ ...text, pattern: toPattern(pattern as Source) }));
