import type { JsonObject } from "@earshot/protocol/json";
import { isMap, isScalar, isSeq, type Pair, type ParsedNode, parseDocument, type YAMLMap } from "yaml";
import { type Edited, styleOf } from "./text-style.ts";

/** Marks every line of Earshot's, so that lines can be removed exactly. */
const MARK = "# earshot";

export interface YamlEntry {
  readonly event: string;
  readonly value: JsonObject;
}

/** Adds single-line entries under a top-level key and leaves every other character in place. */
export function addToYaml(given: string, key: string, entries: readonly YamlEntry[]): Edited {
  const { eol } = styleOf(given);
  const text = given === "" || given.endsWith("\n") ? given : `${given}${eol}`;
  const checked = check(text);
  if (!checked.ok) return checked;
  const pair = checked.root?.items.find((item) => isScalar(item.key) && item.key.value === key);
  const line = (indent: string, value: JsonObject) => `${indent}- ${flow(value)} ${MARK}${eol}`;
  const block = [...groupByEvent(entries)]
    .map(([event, values]) => `  ${event}: ${MARK}${eol}${values.map((value) => line("    ", value)).join("")}`)
    .join("");
  if (pair === undefined) {
    return { ok: true, text: `${text}${key}: ${MARK}${eol}${block}` };
  }
  const at = endOfBlock(text, (pair.key as ParsedNode).range[1]);
  if (isNothing(pair)) return { ok: true, text: `${text.slice(0, at)}${block}${text.slice(at)}` };
  if (isMap(pair.value) && pair.value.flow === true && pair.value.items.length === 0) {
    const [from, to] = (pair.value as ParsedNode).range;
    if (text.slice(to, at).trim() !== "") return { ok: false, why: `${key} has a comment beside it` };
    return { ok: true, text: `${text.slice(0, from)}${MARK} ${text.slice(from, to)}${eol}${block}${text.slice(at)}` };
  }
  const map = pair.value;
  if (!isMap(map) || map.flow === true) return { ok: false, why: `${key} is no block of lines there` };
  let edited = text;
  const indent = " ".repeat(columnOf(text, map.range?.[0] ?? 0));
  const changes: { readonly at: number; readonly text: string }[] = [];
  for (const [event, values] of groupByEvent(entries)) {
    const found = map.items.find((item) => isScalar(item.key) && item.key.value === event);
    if (found === undefined) continue;
    const list = found.value;
    if (!isSeq(list) || list.flow === true) return { ok: false, why: `${key}.${event} is no list of lines there` };
    const dash = " ".repeat(columnOf(text, list.range?.[0] ?? 0));
    changes.push({ at: endOfBlock(text, list.range?.[1] ?? text.length), text: values.map((value) => line(dash, value)).join("") });
  }
  // New events are appended, because a list may end where the document does.
  const fresh = [...groupByEvent(entries)].filter(([event]) => !map.items.some((item) => isScalar(item.key) && item.key.value === event));
  const more = fresh.map(
    ([event, values]) => `${indent}${event}: ${MARK}${eol}${values.map((value) => line(`${indent}  `, value)).join("")}`,
  );
  changes.push({ at: endOfBlock(text, map.range?.[1] ?? text.length), text: more.join("") });
  // Applied from the end, so that earlier offsets stay valid.
  for (const { at: place, text: added } of changes.toReversed().toSorted((a, b) => b.at - a.at)) {
    edited = `${edited.slice(0, place)}${added}${edited.slice(place)}`;
  }
  const again = check(edited);
  return again.ok ? { ok: true, text: edited } : again;
}

export function removeFromYaml(text: string): Edited {
  const without = text.replaceAll(/^[^\r\n]*# earshot[ \t]*(?:\r?\n|$)/gm, "");
  return { ok: true, text: without.replaceAll(/# earshot (\{[ \t]*\})/g, "$1") };
}

/** Earshot's lines, for comparison. */
export function ownYaml(text: string): string | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trimEnd().endsWith(MARK));
  return lines.length === 0 ? undefined : lines.join("\n");
}

type Checked = { readonly ok: true; readonly root: YAMLMap.Parsed | undefined } | { readonly ok: false; readonly why: string };

function check(text: string): Checked {
  const document = parseDocument(text, { maxAliasCount: 100 } as object);
  const [error] = document.errors;
  if (error !== undefined) return { ok: false, why: `it is not YAML: ${error.message.split("\n", 1).join("")}` };
  const root: ParsedNode | null = document.contents;
  if (root === null) return { ok: true, root: undefined };
  if (!isMap(root) || root.flow === true) return { ok: false, why: "it is no block of keys and values" };
  if (/^\.\.\.|^---/m.test(text.replace(/^---[^\n]*\n/, ""))) return { ok: false, why: "it holds more than one document" };
  return { ok: true, root: root as YAMLMap.Parsed };
}

function isNothing({ value }: Pair<unknown, unknown>): boolean {
  return value === null || (isScalar(value) && value.value === null);
}

function groupByEvent(entries: readonly YamlEntry[]): Map<string, readonly JsonObject[]> {
  const groups = new Map<string, readonly JsonObject[]>();
  for (const { event, value } of entries) groups.set(event, [...(groups.get(event) ?? []), value]);
  return groups;
}

/** On one line; JSON is valid YAML. */
function flow(value: JsonObject): string {
  return `{ ${Object.entries(value)
    .map(([key, one]) => `${key}: ${JSON.stringify(one)}`)
    .join(", ")} }`;
}

function columnOf(text: string, at: number): number {
  return at - (text.lastIndexOf("\n", at - 1) + 1);
}

/** The end of the line with a block's last value. */
function endOfBlock(text: string, end: number): number {
  if (end > 0 && text[end - 1] === "\n") return end;
  const next = text.indexOf("\n", end);
  return next < 0 ? text.length : next + 1;
}
