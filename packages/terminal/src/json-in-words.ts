/**
 * A JSON value as it would be read out: `path: src/a.ts, limit: 20`, without braces and quotation marks. For people only:
 * who needs it exactly asks for the JSON. Untrusted text, not yet fit for a terminal.
 */
export function jsonInWords(value: unknown): string {
  return inWords(value, 0);
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
