import type { JsonValue } from "@earshot/protocol/json";
import { createScanner, type Node, type ParseError, parseTree, type SyntaxKind } from "jsonc-parser";

/** JSON as it stands in a file, with comments and trailing commas where a person put them, and where everything is. */
export type JsonNode = JsonObjectNode | JsonArrayNode | JsonScalarNode;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** What stands in a container. */
interface JsonChild {
  /** Where it begins: a member begins with its key. */
  readonly start: number;
  readonly value: JsonNode;
  /** Where its comma stands, if it has one. */
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

export type JsonReading =
  | { readonly ok: true; readonly root: JsonNode }
  | { readonly ok: false; readonly at: number; readonly why: string };

const MAX_DEPTH = 100;

/** By the parser's numbers, of which its types are no values here. */
const REASONS: Readonly<Record<number, string>> = {
  1: "an unknown word or sign",
  3: "a name in quotes was expected",
  4: "a value was expected",
  5: "a colon was expected",
  6: "a comma was expected",
  7: "a comma or } was expected",
  8: "a comma or ] was expected",
  9: "something follows the end",
  11: "a comment has no end",
  12: "a text has no end",
};
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, COMMA, END] = [1, 2, 3, 4, 5, 17] as const satisfies readonly SyntaxKind[];

/** Reads a whole text. What is not JSON with comments is refused, with its place. */
export function readJsonText(text: string): JsonReading {
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

/** After the blanks and comments at a place. */
export function skipBlanks(text: string, from: number): number {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  scanner.scan();
  return scanner.getTokenOffset();
}

/** The parser follows nesting by recursion, and a settings file may hold anything. */
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
