import type { Labelled } from "@earshot/terminal/saying";

/** What there is of it: nobody hears of what nobody supplied. */
export function given(...texts: readonly (string | false | undefined)[]): readonly string[] {
  return texts.filter((text) => typeof text === "string" && text.trim() !== "") as readonly string[];
}

/** The same for what has a label. */
export function labelled(parts: Readonly<Record<string, string | undefined>>): readonly Labelled[] {
  return Object.entries(parts).flatMap(([label, text]) => (text === undefined || text.trim() === "" ? [] : [{ label, text }]));
}

export function when<Value>(value: Value | undefined, say: (value: Value) => string): string | undefined {
  return value === undefined ? undefined : say(value);
}
