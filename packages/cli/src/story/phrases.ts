import type { Labelled } from "./saying.ts";

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

export function riskInWords(risk: string | undefined, reversible: boolean | undefined): readonly string[] {
  return given(risk !== undefined && `${risk} risk`, reversible === false && "cannot be undone", reversible === true && "can be undone");
}

export function confidenceInWords(confidence: string | undefined): string | undefined {
  return confidence === undefined ? undefined : `${confidence} confidence`;
}
