import { type Document, isAlias, isMap, isNode, isScalar, LineCounter, type Node, parseDocument, visit, type YAMLError } from "yaml";

/** A problem in a policy file and its position; lines and columns begin at 1. */
export interface PolicyTrouble {
  /** The file, as named to the reader. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** An error invalidates the whole file; a warning concerns a rule that is left out or does less than it seems to. */
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly hint: string;
}

export type TextPosition = Pick<PolicyTrouble, "line" | "column">;

/** The kind of a file: its maximum plausible size, and the hints for its errors. */
export interface YamlFileKind {
  readonly mostCharacters: number;
  readonly mostLevels: number;
  readonly mostColumns?: number;
  readonly hints: {
    readonly tooLarge: string;
    readonly tooDeep: string;
    readonly notYaml: string;
    readonly reference: string;
  };
}

/** A rules file, as a person writes it. */
export const RULES_YAML: YamlFileKind = {
  mostCharacters: 256 * 1024,
  mostLevels: 24,
  hints: {
    tooLarge: "Rules take a few lines each.",
    tooDeep: "Rules have four levels at most.",
    notYaml: "Each line is `key: value`; lists begin with `- `. A text that begins with * & ! { [ or # needs quotes.",
    reference: "A pattern that begins with * needs quotes.",
  },
};

const MAX_COLUMNS = 100;

export interface PolicyYaml {
  /** Undefined if the text contains only comments. */
  readonly root: Node | undefined;
  readonly place: (offset: number) => TextPosition;
}

export interface YamlTrouble extends TextPosition {
  readonly message: string;
  readonly hint: string;
}

export type YamlReading =
  | { readonly ok: true; readonly value: PolicyYaml }
  | { readonly ok: false; readonly troubles: readonly YamlTrouble[] };

export type YamlParsing =
  | { readonly document: Document; readonly place: PolicyYaml["place"]; readonly troubles: readonly YamlTrouble[] }
  | { readonly document: undefined; readonly troubles: readonly YamlTrouble[] };

/** Parses YAML 1.2, core schema. Size, depth and directives are checked before the parser runs, because it is recursive. */
export function parseYaml(text: string, kind: YamlFileKind, uniqueKeys: boolean): YamlParsing {
  const early = tooLarge(text, kind) ?? tooDeep(text, kind) ?? directive(text);
  if (early !== undefined) return { document: undefined, troubles: [early] };
  const lineCounter = new LineCounter();
  const place = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const options = { version: "1.2", schema: "core", uniqueKeys, merge: false, prettyErrors: false, lineCounter } as const;
  const document = parseDocument(text, { ...options, strict: true, logLevel: "error" });
  const problems = [...document.errors, ...document.warnings];
  return { document, place, troubles: problems.map((error) => toTrouble(error, place, kind)) };
}

/**
 * Reads YAML without the features that make a text mean something other than it seems: no aliases, tags, merge keys or duplicate keys.
 */
export function readStrictYaml(text: string, kind: YamlFileKind): YamlReading {
  const parsed = parseYaml(text, kind, true);
  if (parsed.document === undefined) return { ok: false, troubles: parsed.troubles };
  const { contents } = parsed.document;
  const { place } = parsed;
  const troubles = [...parsed.troubles, ...(contents === null ? [] : forbidden(contents, place, kind))];
  if (troubles.length > 0) return { ok: false, troubles };
  const isEmpty = contents === null || (isScalar(contents) && contents.value === null && (contents.source ?? "") === "");
  return { ok: true, value: { root: isEmpty ? undefined : contents, place } };
}

function tooLarge(text: string, { mostCharacters, hints }: YamlFileKind): YamlTrouble | undefined {
  if (text.length <= mostCharacters) return undefined;
  const message = `The file has more than ${mostCharacters.toLocaleString("en")} characters.`;
  return { line: 1, column: 1, message, hint: hints.tooLarge };
}

/**
 * Brackets are counted everywhere, even in strings and comments: only the parser can tell those apart, and no plausible file has so many.
 */
function tooDeep(text: string, { mostLevels, mostColumns = MAX_COLUMNS, hints }: YamlFileKind): YamlTrouble | undefined {
  let open = 0;
  for (const [index, line] of linesOf(text).entries()) {
    const [, indent = "", marks = ""] = /^( *)((?:[-?:][ \t]+)*)/.exec(line) ?? [];
    let isDeep = line.trim() !== "" && (indent.length > mostColumns || marks.length > mostColumns);
    for (const character of line) {
      if (character === "[" || character === "{") open++;
      else if (character === "]" || character === "}") open = Math.max(0, open - 1);
      if (open > mostLevels) isDeep = true;
    }
    if (isDeep) return { line: index + 1, column: 1, message: "This is nested too deeply.", hint: hints.tooDeep };
  }
  return undefined;
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/);
}

function directive(text: string): YamlTrouble | undefined {
  const index = linesOf(text).findIndex((line) => line.startsWith("%"));
  if (index < 0) return undefined;
  return { line: index + 1, column: 1, message: "YAML directives are not read here.", hint: "Remove the line that begins with %." };
}

const HINTS: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  DUPLICATE_KEY: ["This key was there before.", "Readers disagree on which of two equal keys counts. Write each key once."],
  TAB_AS_INDENT: ["A tab is used for indentation.", "YAML takes spaces only."],
  BAD_INDENT: ["The indentation does not fit the lines around it.", "Keys of one level begin at the same column. Is a bracket left open?"],
  MULTIPLE_DOCS: ["There is more than one document in the file.", "Remove the line with ---."],
  MULTILINE_IMPLICIT_KEY: ["A key stretches over several lines.", "Is there a colon missing after the key?"],
  BLOCK_AS_IMPLICIT_KEY: ["There is more here than one value.", "One `key: value` on a line; keys of one level begin at the same column."],
};

function toTrouble({ code, message, pos: [offset] }: YAMLError, place: PolicyYaml["place"], { hints }: YamlFileKind): YamlTrouble {
  const [said, hint] = HINTS[code] ?? [`This is not YAML: ${message.split("\n", 1)[0]}.`, hints.notYaml];
  return { ...place(offset), message: said, hint };
}

function forbidden(root: Node, place: PolicyYaml["place"], { hints }: YamlFileKind): readonly YamlTrouble[] {
  const troubles: YamlTrouble[] = [];
  const refuse = (node: Node, message: string, hint: string) => troubles.push({ ...place(node.range?.[0] ?? 0), message, hint });
  visit(root, (_, node) => {
    if (!isNode(node)) return;
    if (isAlias(node)) refuse(node, "References (*name) are not read here.", hints.reference);
    else if (node.anchor !== undefined) refuse(node, "Anchors (&name) are not read here.", "Write each value where it belongs.");
    if (node.tag !== undefined) refuse(node, `Tags such as ${node.tag.slice(0, 60)} are not read here.`, "Remove the tag.");
    for (const { key } of isMap(node) ? node.items : [])
      if (isScalar(key) && key.value === "<<") refuse(key, "Merge keys (<<) are not read here.", "Write the keys themselves.");
  });
  return troubles;
}
