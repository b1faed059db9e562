import type { Labelled } from "@earshot/terminal/saying";

/** Only the parts that exist. */
export function presentTexts(...texts: readonly (string | false | undefined)[]): readonly string[] {
  return texts.filter((text) => typeof text === "string" && text.trim() !== "") as readonly string[];
}

/** The same for labeled parts. */
export function presentLabels(parts: Readonly<Record<string, string | undefined>>): readonly Labelled[] {
  return Object.entries(parts).flatMap(([label, text]) => (text === undefined || text.trim() === "" ? [] : [{ label, text }]));
}

export function ifPresent<Value>(value: Value | undefined, say: (value: Value) => string): string | undefined {
  return value === undefined ? undefined : say(value);
}
