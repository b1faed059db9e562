import { ENGLISH_TEXTS, type TextWords } from "./passage.ts";

/**
 * Renders a JSON value for reading aloud: `path: src/a.ts, limit: 20`, without braces and quotation marks. For people only; the JSON
 * itself is the exact form. The result is untrusted text and not yet safe for a terminal.
 */
export function jsonInWords(value: unknown, texts: TextWords = ENGLISH_TEXTS): string {
  return inWords(value, 0, texts);
}

/** Deeper levels are written as JSON. */
const DEEPEST = 4;

function inWords(value: unknown, depth: number, texts: TextWords): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return texts.noValue;
  if (typeof value !== "object") return String(value);
  if (depth > DEEPEST) return JSON.stringify(value);
  const parts = Array.isArray(value)
    ? value.map((one) => inWords(one, depth + 1, texts))
    : Object.entries(value).map(([name, one]) => `${name}: ${inWords(one, depth + 1, texts)}`);
  if (parts.length === 0) return Array.isArray(value) ? texts.emptyList : texts.empty;
  return depth === 0 ? parts.join(", ") : `(${parts.join(", ")})`;
}
