import { isObject, type JsonValue } from "@earshot/protocol";
import { visibleLines, visibleText } from "./visible-text.ts";

const MOST_LINES = 400;
const DEEPEST = 12;

/** A value line by line, names before what they hold, without brackets: easier to listen to than JSON. Bounded. */
export function valueLines(value: JsonValue, indent = "  "): readonly string[] {
  const lines = [...write(value, indent, 0)];
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES), `${indent}[${(lines.length - MOST_LINES).toLocaleString("en")} more lines]`];
}

function write(value: JsonValue, indent: string, depth: number): readonly string[] {
  if (depth > DEEPEST) return [`${indent}${visibleText(JSON.stringify(value))}`];
  if (typeof value === "string") return visibleLines(value).map((line) => indent + line);
  if (Array.isArray(value)) return value.flatMap((one: JsonValue, index) => member(`${index + 1}.`, one, indent, depth));
  if (isObject(value)) return Object.entries(value).flatMap(([name, one]) => member(`${visibleText(name)}:`, one ?? null, indent, depth));
  return [indent + JSON.stringify(value)];
}

function member(name: string, value: JsonValue, indent: string, depth: number): readonly string[] {
  const isPlain = typeof value !== "object" || value === null;
  const inOneLine = isPlain && !(typeof value === "string" && (value.includes("\n") || value.length > 200));
  if (inOneLine) return [`${indent}${name} ${typeof value === "string" ? visibleText(value) : JSON.stringify(value)}`];
  const inner = write(value, `${indent}  `, depth + 1);
  return inner.length === 0 ? [`${indent}${name} (empty)`] : [`${indent}${name}`, ...inner];
}
