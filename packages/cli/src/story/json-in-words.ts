import type { Labelled } from "./saying.ts";

/**
 * A JSON value as it would be read out: `path: src/a.ts, limit: 20`, without braces and quotation marks. For people only:
 * who needs it exactly asks for the JSON. Untrusted text, not yet fit for a terminal.
 */
export function jsonInWords(value: unknown): string {
  return inWords(value, 0);
}

/** The same for text that may be JSON, as a call's input is kept; any other text stays as it is. */
export function jsonTextInWords(text: string): string {
  if (!/^\s*[[{"]/.test(text)) return text;
  try {
    return jsonInWords(JSON.parse(text));
  } catch {
    return text; // the beginning of a JSON text that was too long, or something else: as it was said
  }
}

/** What is nested deeper is written as JSON. */
const DEEPEST = 4;

function inWords(value: unknown, depth: number): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "nothing";
  if (typeof value !== "object") return String(value);
  if (depth > DEEPEST) return JSON.stringify(value);
  const parts = Array.isArray(value)
    ? value.map((one) => inWords(one, depth + 1))
    : Object.entries(value).map(([name, one]) => `${name}: ${inWords(one, depth + 1)}`);
  if (parts.length === 0) return Array.isArray(value) ? "empty list" : "empty";
  return depth === 0 ? parts.join(", ") : `(${parts.join(", ")})`;
}

/** What an agent added of its own accord, without what was told already: tokens, cost, steps, the model. */
export function untoldMetadata(metadata: object, told: readonly unknown[]): readonly Labelled[] {
  const isTold = (name: string, value: unknown) => /token|cost|step|llm|model/.test(name) && value !== undefined && told.includes(value);
  const others = Object.entries(metadata).filter(([name, value]) => !isTold(name, value));
  return others.length === 0 ? [] : [{ label: "Metadata", text: jsonInWords(Object.fromEntries(others)) }];
}
