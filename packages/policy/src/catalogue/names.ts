import names from "./names.json" with { type: "json" };

/** A long list, which may be written in several lines. */
export type Lines = string | readonly string[];

export function joinLines(text: Lines, separator = " "): string {
  return typeof text === "string" ? text : text.join(separator);
}

/** A table whose keys are several names with one value each: `{ "cp ln": … }`. */
export function expandNames<Value>(table: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(table).flatMap(([keys, value]) => keys.split(" ").map((key) => [key, value] as const)));
}

/** Fits exactly one of the words of a list, each of which may be a regular expression. */
export function oneOf(words: Lines, flags = ""): RegExp {
  return new RegExp(`^(?:${joinLines(words).replaceAll(" ", "|")})$`, flags);
}

/** A list of names.json as a pattern. */
export function namesLike(list: keyof typeof names, flags = ""): RegExp {
  return oneOf(names[list], flags);
}

/** A list of names.json whose words stand for themselves. */
export function nameSet(list: keyof typeof names): ReadonlySet<string> {
  return new Set(joinLines(names[list]).split(" "));
}
