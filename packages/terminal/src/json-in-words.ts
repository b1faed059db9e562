/**
 * Renders a JSON value for reading aloud: `path: src/a.ts, limit: 20`, without braces and quotation marks. For people only; the JSON
 * itself is the exact form. The result is untrusted text and not yet safe for a terminal.
 */
export function jsonInWords(value: unknown): string {
  return inWords(value, 0);
}

/** Deeper levels are written as JSON. */
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
