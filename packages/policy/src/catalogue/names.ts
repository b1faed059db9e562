import names from "./names.json" with { type: "json" };

/** A long list, which may be written on several lines. */
export type Lines = string | readonly string[];

export function joinLines(text: Lines, separator = " "): string {
  return typeof text === "string" ? text : text.join(separator);
}

/** Expands a table whose keys are several names with one shared value: `{ "cp ln": … }`. */
export function expandNames<Value>(table: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(table).flatMap(([keys, value]) => keys.split(" ").map((key) => [key, value] as const)));
}

/** Matches exactly one word of a list, each of which may be a regular expression. */
export function oneWordOf(words: Lines, flags = ""): RegExp {
  return new RegExp(`^(?:${joinLines(words).replaceAll(" ", "|")})$`, flags);
}

/** A pattern built from a list of names.json. */
export function namesLike(list: keyof typeof names, flags = ""): RegExp {
  return oneWordOf(names[list], flags);
}

/** A list of names.json whose words are literal. */
export function nameSet(list: keyof typeof names): ReadonlySet<string> {
  return new Set(joinLines(names[list]).split(" "));
}
