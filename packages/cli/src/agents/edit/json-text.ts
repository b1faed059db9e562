import type { JsonValue } from "@earshot/protocol/json";
import { createScanner, type Node, type ParseError, parseTree, type SyntaxKind } from "jsonc-parser";

/** JSON with comments and trailing commas as it is in a file, with the position of everything. */
export type JsonNode = JsonObjectNode | JsonArrayNode | JsonScalarNode;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A child of a container. */
interface JsonChild {
  /** The start; for a member, the start of its key. */
  readonly start: number;
  readonly value: JsonNode;
  /** The position of its comma, if any. */
  readonly comma: number | undefined;
}

export interface JsonObjectNode extends Span {
  readonly kind: "object";
  readonly members: readonly (JsonChild & { readonly key: string })[];
}

export interface JsonArrayNode extends Span {
  readonly kind: "array";
  readonly items: readonly JsonChild[];
}

export interface JsonScalarNode extends Span {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
}

export type JsonTextReading =
  | { readonly ok: true; readonly root: JsonNode }
  | { readonly ok: false; readonly at: number; readonly why: string };

const MAX_DEPTH = 100;

/** By error number, because the parser exports no names for them at run time. */
const REASONS: Readonly<Record<number, string>> = {
  1: "an unknown word or character",
  3: "a name in quotes was expected",
  4: "a value was expected",
  5: "a colon was expected",
  6: "a comma was expected",
  7: "a comma or } was expected",
  8: "a comma or ] was expected",
  9: "there is text after the end",
  11: "a comment is not closed",
  12: "a string is not closed",
};
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, COMMA, END] = [1, 2, 3, 4, 5, 17] as const satisfies readonly SyntaxKind[];

/** Parses a text. Anything but JSON with comments is rejected with its position. */
export function readJsonText(text: string): JsonTextReading {
  const deep = findTooDeep(text);
  if (deep !== undefined) return { ok: false, at: deep, why: "it is nested too deeply" };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined && root !== undefined) return { ok: true, root: toNode(root, text) };
  const { offset: at = 0, error = 4 } = first ?? {};
  return { ok: false, at, why: at >= text.trimEnd().length ? "it ends too early" : (REASONS[error] ?? "a value was expected") };
}

export function plainOf(node: JsonNode): JsonValue {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "array") return node.items.map(({ value }) => plainOf(value));
  return Object.fromEntries(node.members.map(({ key, value }) => [key, plainOf(value)]));
}

/** Skips whitespace and comments. */
export function skipBlanks(text: string, from: number): number {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  scanner.scan();
  return scanner.getTokenOffset();
}

/** The parser is recursive, and a settings file may be nested arbitrarily deep. */
function findTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token: number = scanner.scan(); token !== END; token = scanner.scan()) {
    if (token === OPEN_BRACE || token === OPEN_BRACKET) depth++;
    else if (token === CLOSE_BRACE || token === CLOSE_BRACKET) depth--;
    if (depth > MAX_DEPTH) return scanner.getTokenOffset();
  }
  return undefined;
}

function toNode({ type, offset, length, value, children = [] }: Node, text: string): JsonNode {
  const span = { start: offset, end: offset + length };
  if (type === "array") return { kind: "array", items: children.map((child) => toChild(child, child, text)), ...span };
  if (type !== "object") return { kind: "scalar", value: value as JsonScalarNode["value"], ...span };
  const members = children.flatMap((property) => {
    const [key, child] = property.children ?? [];
    return key === undefined || child === undefined ? [] : [{ key: String(key.value), ...toChild(property, child, text) }];
  });
  return { kind: "object", members, ...span };
}

function toChild({ offset, length }: Node, value: Node, text: string): JsonChild {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset + length);
  const isComma = (scanner.scan() as number) === COMMA;
  return { start: offset, value: toNode(value, text), comma: isComma ? scanner.getTokenOffset() : undefined };
}
