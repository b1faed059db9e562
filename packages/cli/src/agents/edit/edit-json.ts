import { isDeepStrictEqual } from "node:util";
import type { JsonObject, JsonValue } from "@earshot/protocol/json";
import { type JsonArrayNode, type JsonNode, type JsonObjectNode, plainOf, readJsonText, skipBlanks } from "./json-text.ts";
import { type Edited, indentAt, lineAndColumnOf, styleOf, type TextStyle } from "./text-style.ts";

/** An entry for the end of the list at a path. */
export interface JsonEntry {
  readonly at: readonly string[];
  readonly value: JsonObject;
}

export interface JsonAddition {
  /** Top-level members that must exist, such as a version; existing ones are kept. */
  readonly members: JsonObject;
  readonly entries: readonly JsonEntry[];
}

type IsOwn = (value: JsonValue) => boolean;

/** Adds entries to a text and leaves every other character in place. */
export function addToJson(text: string, { members, entries }: JsonAddition): Edited {
  if (text.trim() === "") return { ok: true, text: `${JSON.stringify(wholeOf({ members, entries }), null, 2)}\n` };
  let edited = text;
  const style = styleOf(text);
  for (const [key, value] of Object.entries(members)) {
    const root = rootOf(edited);
    if (!root.ok) return root;
    if (root.node.members.some((member) => member.key === key)) continue;
    edited = insert(edited, root.node, `${JSON.stringify(key)}: ${JSON.stringify(value)}`, style);
  }
  for (const entry of entries) {
    const result = addEntry(edited, entry, style);
    if (!result.ok) return result;
    edited = result.text;
  }
  return { ok: true, text: edited };
}

/** Removes Earshot's entries and containers that become empty. */
export function removeFromJson(text: string, under: readonly string[], isOwn: IsOwn): Edited {
  let edited = text;
  for (;;) {
    const root = rootOf(edited);
    if (!root.ok) return edited.trim() === "" ? { ok: true, text: edited } : root;
    const found = findOwn(root.node, under, isOwn);
    if (found === undefined) return { ok: true, text: edited };
    edited = removeChild(edited, found.containers, found.index);
  }
}

/** Earshot's entries in a text, in order; undefined for an unreadable text. */
export function ownEntries(text: string, under: readonly string[], isOwn: IsOwn): readonly JsonEntry[] | undefined {
  const root = rootOf(text);
  if (!root.ok) return undefined;
  return listsUnder(root.node, under).flatMap(({ at, list }) =>
    list.items.flatMap(({ value }) => {
      const plain = plainOf(value);
      return isOwn(plain) ? [{ at, value: plain as JsonObject }] : [];
    }),
  );
}

/** Entries of others. */
export function foreignEntries(text: string, under: readonly string[], isOwn: IsOwn): readonly JsonEntry[] {
  return ownEntries(text, under, (value) => !isOwn(value) && typeof value === "object" && value !== null) ?? [];
}

/** The parsed object; undefined for an unreadable text or another type. */
export function readRoot(text: string): JsonObject | undefined {
  const root = text.trim() === "" ? undefined : rootOf(text);
  if (root === undefined) return {};
  return root.ok ? (plainOf(root.node) as JsonObject) : undefined;
}

type Root = { readonly ok: true; readonly node: JsonObjectNode } | { readonly ok: false; readonly why: string };

function rootOf(text: string): Root {
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  const reading = readJsonText(start === 0 ? text : ` ${text.slice(1)}`); // the same length, so that places stay true
  if (!reading.ok) return { ok: false, why: `it is not JSON: ${reading.why} at ${lineAndColumnOf(text, reading.at)}` };
  if (reading.root.kind !== "object") return { ok: false, why: "it contains no JSON object" };
  return { ok: true, node: reading.root };
}

function wholeOf({ members, entries }: JsonAddition): JsonObject {
  const whole: Record<string, JsonValue | undefined> = { ...members };
  for (const { at, value } of entries) {
    let inner = whole;
    for (const key of at.slice(0, -1)) {
      inner[key] ??= {};
      inner = inner[key] as Record<string, JsonValue | undefined>;
    }
    const last = at.at(-1) ?? "";
    inner[last] = [...((inner[last] as JsonValue[] | undefined) ?? []), value];
  }
  return whole;
}

function addEntry(text: string, { at, value }: JsonEntry, style: TextStyle): Edited {
  const root = rootOf(text);
  if (!root.ok) return root;
  let node: JsonObjectNode = root.node;
  for (const [index, key] of at.entries()) {
    const same = node.members.filter((member) => member.key === key);
    const [found] = same;
    const where = at.slice(0, index + 1).join(".");
    if (same.length > 1) return { ok: false, why: `it holds ${where} twice` };
    if (found === undefined) {
      const rest = at.slice(index + 1).reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), [value]);
      return {
        ok: true,
        text: insert(text, node, `${JSON.stringify(key)}: ${pretty(rest, childIndent(text, node, style), style)}`, style),
      };
    }
    const isLast = index === at.length - 1;
    if (isLast && found.value.kind === "array")
      return { ok: true, text: insert(text, found.value, pretty(value, childIndent(text, found.value, style), style), style) };
    if (isLast || found.value.kind !== "object")
      return { ok: false, why: `${where} is ${isLast ? "no list" : "no object"} (${lineAndColumnOf(text, found.value.start)})` };
    node = found.value;
  }
  return { ok: false, why: "there is no place for it" };
}

function pretty(value: JsonValue, indent: string, { eol, indent: step }: TextStyle): string {
  return JSON.stringify(value, null, step).split("\n").join(`${eol}${indent}`);
}

function childrenOf(
  node: JsonObjectNode | JsonArrayNode,
): readonly { readonly start: number; readonly value: JsonNode; readonly comma: number | undefined }[] {
  return node.kind === "object" ? node.members : node.items;
}

/** The indentation of existing children, or else one step more than the container's. */
function childIndent(text: string, node: JsonObjectNode | JsonArrayNode, style: TextStyle): string {
  const [first] = childrenOf(node);
  const isOnOwnLine = first !== undefined && text.slice(node.start, first.start).includes("\n");
  return isOnOwnLine ? indentAt(text, first.start) : `${indentAt(text, node.start)}${style.indent}`;
}

/** Adds lines at the end of a container. Comments stay with their neighbors. */
function insert(text: string, node: JsonObjectNode | JsonArrayNode, child: string, style: TextStyle): string {
  const last = childrenOf(node).at(-1);
  const close = node.end - 1;
  const line = `${style.eol}${childIndent(text, node, style)}${child}`;
  const closing = `${style.eol}${indentAt(text, node.start)}`;
  if (last === undefined) {
    const from = text.slice(0, close).trimEnd().length; // after the opening bracket, or after a comment
    return `${text.slice(0, from)}${line}${text.slice(from, close).includes("\n") && from > node.start + 1 ? text.slice(from, close) : closing}${text.slice(close)}`;
  }
  const end = last.value.end;
  const tail = endOfLineNote(text, last.comma === undefined ? end : last.comma + 1, close);
  const gap = text.slice(tail, close);
  const before = last.comma === undefined ? `${text.slice(0, end)},${text.slice(end, tail)}` : text.slice(0, tail);
  // Keeps a trailing comma, so that removal restores the original list.
  return `${before}${line}${last.comma === undefined ? "" : ","}${gap.includes("\n") ? gap : closing}${text.slice(close)}`;
}

/** After a comment on the same line, which belongs to the preceding value. */
function endOfLineNote(text: string, from: number, close: number): number {
  const rest = /^[ \t]*(?:\/\*[^\r\n]*?\*\/[ \t]*)*(?:\/\/[^\r\n]*)?/.exec(text.slice(from, close))?.[0] ?? "";
  return from + rest.trimEnd().length;
}

interface List {
  readonly at: readonly string[];
  readonly list: JsonArrayNode;
  /** The enclosing containers, from the root to the list itself. */
  readonly containers: readonly (JsonObjectNode | JsonArrayNode)[];
}

function listsUnder(root: JsonObjectNode, under: readonly string[]): readonly List[] {
  const containers: (JsonObjectNode | JsonArrayNode)[] = [root];
  let node: JsonNode = root;
  for (const key of under) {
    const found: JsonNode | undefined = node.kind === "object" ? node.members.findLast((member) => member.key === key)?.value : undefined;
    if (found === undefined || found.kind === "scalar") return [];
    node = found;
    containers.push(found);
  }
  if (node.kind === "array") return [{ at: under, list: node, containers }];
  if (node.kind !== "object") return [];
  return node.members.flatMap(({ key, value }) =>
    value.kind === "array" ? [{ at: [...under, key], list: value, containers: [...containers, value] }] : [],
  );
}

function findOwn(root: JsonObjectNode, under: readonly string[], isOwn: IsOwn) {
  for (const { list, containers } of listsUnder(root, under)) {
    for (const [index, { value }] of list.items.entries()) {
      if (!isOwn(plainOf(value))) continue;
      // Other handlers may have been added beside Earshot's.
      const inner = value.kind === "object" ? value.members.find((member) => member.key === "hooks")?.value : undefined;
      if (inner?.kind === "array") {
        const own = inner.items.map((item) => isOwn(plainOf(item.value)));
        const first = own.indexOf(true);
        if (first >= 0 && own.includes(false)) return { containers: [...containers, value as JsonObjectNode, inner], index: first };
      }
      return { containers, index };
    }
  }
  return undefined;
}

/** Removes a child and the containers that become empty, but never the root. */
function removeChild(text: string, containers: readonly (JsonObjectNode | JsonArrayNode)[], index: number): string {
  const node = containers.at(-1);
  if (node === undefined) return text;
  const children = childrenOf(node);
  const above = containers.slice(0, -1);
  const parent = above.at(-1);
  if (children.length === 1 && parent !== undefined) {
    return removeChild(
      text,
      above,
      childrenOf(parent).findIndex((child) => child.value === node),
    );
  }
  const child = children[index];
  if (child === undefined) return text;
  const previous = children[index - 1];
  const begin = previous === undefined ? node.start + 1 : (previous.comma ?? previous.value.end) + 1;
  const to = (child.comma ?? child.value.end - 1) + 1;
  const trimmed = begin + text.slice(begin, child.start).trimEnd().length;
  const followsLine = /^[ \t]*(?:\r?\n|\/\/)/.test(text.slice(to)) || skipBlanks(text, to) === node.end - 1;
  const from = text.slice(begin, trimmed).includes("//") && !followsLine ? child.start : trimmed;
  const cut = `${text.slice(0, from)}${text.slice(to)}`;
  const isLast = index === children.length - 1;
  if (!isLast || child.comma !== undefined || previous?.comma === undefined) return cut;
  return `${cut.slice(0, previous.comma)}${cut.slice(previous.comma + 1)}`;
}

/** Whether two lists hold the same entries. */
export function sameEntries(one: readonly JsonEntry[], other: readonly JsonEntry[]): boolean {
  const key = ({ at }: JsonEntry) => at.join("\n");
  const sorted = (list: readonly JsonEntry[]) => list.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
  return isDeepStrictEqual(sorted(one), sorted(other));
}
