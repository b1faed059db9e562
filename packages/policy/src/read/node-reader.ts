import { nearest } from "@earshot/protocol/nearest";
import { isMap, isNode, isScalar, isSeq, type Node, type Scalar } from "yaml";
import type { PolicyTrouble, PolicyYaml } from "./read-yaml.ts";

const MAX_TROUBLES = 30;
const MAX_ENTRIES = 500;
const MAX_LETTERS = 2000;
const NO_VALUE = "Give it one, or remove the line.";

export interface YamlMember {
  readonly key: string;
  readonly at: Node;
  readonly value: Node;
}

/** Reads nodes of one file and collects errors, phrased for the author of the file. */
export class NodeReader {
  readonly troubles: PolicyTrouble[] = [];
  readonly file: string;
  readonly #place: PolicyYaml["place"];

  constructor(file: string, place: PolicyYaml["place"]) {
    this.file = file;
    this.#place = place;
  }

  get errors(): number {
    return this.troubles.filter(({ severity }) => severity === "error").length;
  }

  lineOf(node: Node): number {
    return this.#place(node.range?.[0] ?? 0).line;
  }

  refuse(node: Node, message: string, hint: string, severity: PolicyTrouble["severity"] = "error"): undefined {
    const trouble = { file: this.file, ...this.#place(node.range?.[0] ?? 0), severity, message, hint };
    if (this.troubles.length < MAX_TROUBLES) this.troubles.push(trouble);
  }

  /** The members of a map with known keys; other keys are most likely mistyped. */
  members(node: Node, name: string, known: readonly string[]): readonly YamlMember[] | undefined {
    if (!isMap(node)) return this.refuse(node, `${name} takes \`key: value\` lines.`, `There are ${known.join(", ")}.`);
    const members: YamlMember[] = [];
    for (const { key, value } of node.items) {
      const at = isNode(key) ? key : node;
      const word = isScalar(key) ? (key.source ?? String(key.value)) : "";
      const place = name.charAt(0).toLowerCase() + name.slice(1);
      if (!known.includes(word)) this.refuse(at, `There is no \`${shortenForMessage(word)}\` in ${place}.`, hintFor(word, known));
      else if (!isNode(value) || (isScalar(value) && value.value === null)) this.refuse(at, `\`${word}\` has no value.`, NO_VALUE);
      else members.push({ key: word, at, value });
    }
    return members;
  }

  /** Reads one value or a list of values; both return a list. */
  list<Value>(node: Node, name: string, read: (node: Node) => Value | undefined): readonly Value[] | undefined {
    const nodes = isSeq(node) ? node.items : [node];
    if (nodes.length === 0)
      return this.refuse(node, `\`${name}\` is an empty list.`, "It would match nothing. Name something, or remove the line.");
    if (nodes.length > MAX_ENTRIES) return this.refuse(node, `\`${name}\` has more than ${MAX_ENTRIES} entries.`, "Use a pattern.");
    const values: Value[] = [];
    for (const item of nodes) {
      const value = isNode(item) ? read(item) : undefined;
      if (value === undefined) return undefined;
      values.push(value);
    }
    return values;
  }

  text(node: Node, name: string): string | undefined {
    const told = `\`${name}\``;
    if (!isScalar(node)) return this.refuse(node, `${told} takes a text.`, "Put it in quotes.");
    const { value } = node;
    if (value === null) return this.refuse(node, `${told} has no value.`, NO_VALUE);
    if (typeof value !== "string") {
      const kind = typeof value === "boolean" ? "true or false" : "a number";
      return this.refuse(node, `${told} takes a text; YAML reads ${quoteScalar(node)} as ${kind}.`, "Put it in quotes.");
    }
    if (value.trim() === "") return this.refuse(node, `${told} is empty.`, "Give it a value, or remove the line.");
    return value.length > MAX_LETTERS ? this.refuse(node, `${told} has more than ${MAX_LETTERS} letters.`, "Make it shorter.") : value;
  }

  /** `meant`: common synonyms of the known words. */
  oneOf<Value extends string>(
    node: Node,
    name: string,
    known: readonly Value[],
    meant: Readonly<Record<string, string>> = {},
  ): Value | undefined {
    const all = `One of ${known.join(", ")}.`;
    if (!isScalar(node)) return this.refuse(node, `\`${name}\` takes a single word.`, all);
    const text = typeof node.value === "string" ? node.value : (node.source ?? "");
    const found = known.find((one) => one === text);
    if (found !== undefined) return found;
    const other = Object.hasOwn(meant, text.toLowerCase()) ? meant[text.toLowerCase()] : undefined;
    const near = other ?? nearest(text, known)[0];
    return this.refuse(node, `\`${name}\` cannot be ${quoteScalar(node)}.`, near === undefined ? all : `Did you mean \`${near}\`? ${all}`);
  }

  boolean(node: Node, name: string): boolean | undefined {
    const told = `\`${name}\` is either true or false`;
    if (!isScalar(node)) return this.refuse(node, `${told}.`, "Write true or false.");
    const { value } = node;
    if (typeof value === "boolean") return value;
    const word = String(value).toLowerCase();
    const meant = /^(?:y|yes|on|true|1)$/.test(word) ? "true" : /^(?:n|no|off|false|0)$/.test(word) ? "false" : undefined;
    if (meant === undefined) return this.refuse(node, `${told}, not ${quoteScalar(node)}.`, "Write true or false.");
    const why = isQuoted(node)
      ? `${quoteScalar(node)} is a text, because of the quotes`
      : `${quoteScalar(node)} does not mean ${meant} in YAML 1.2`;
    return this.refuse(node, `${told}; ${why}.`, `Write ${meant}.`);
  }
}

function hintFor(word: string, known: readonly string[]): string {
  const plain = word.replaceAll(/[-_\s]/g, "");
  const near = known.find((one) => one.toLowerCase() === plain.toLowerCase()) ?? nearest(plain, known)[0];
  return near === undefined ? `There are ${known.join(", ")}.` : `Did you mean \`${near}\`?`;
}

function isQuoted({ type }: Scalar): boolean {
  return type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE";
}

export function quoteScalar(node: Scalar): string {
  return isQuoted(node)
    ? JSON.stringify(shortenForMessage(String(node.value)))
    : `\`${shortenForMessage(node.source ?? String(node.value))}\``;
}

export function shortenForMessage(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
