/** A table whose keys are several names with one value each: `{ "cp ln": … }`. */
export function expandNames<Value>(table: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(table).flatMap(([names, value]) => names.split(" ").map((name) => [name, value] as const)));
}

/** A long list, which may be written in several lines. */
export function joinLines(text: string | readonly string[], separator: string): string {
  return typeof text === "string" ? text : text.join(separator);
}
