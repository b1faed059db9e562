import type { JsonValue } from "@earshot/protocol/json";

/** JSON as it stands in a file, with comments and commas at the end where a person put them, and where everything is. */
export type JsonNode = JsonObjectNode | JsonArrayNode | JsonScalarNode;

interface Span {
  readonly start: number;
  readonly end: number;
}

export interface JsonObjectNode extends Span {
  readonly kind: "object";
  readonly members: readonly JsonMember[];
}

export interface JsonMember {
  readonly key: string;
  /** Where the key begins. */
  readonly start: number;
  readonly value: JsonNode;
  /** Where its comma stands, if it has one. */
  readonly comma: number | undefined;
}

export interface JsonArrayNode extends Span {
  readonly kind: "array";
  readonly items: readonly { readonly value: JsonNode; readonly start: number; readonly comma: number | undefined }[];
}

export interface JsonScalarNode extends Span {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
}

export type JsonReading =
  | { readonly ok: true; readonly root: JsonNode }
  | { readonly ok: false; readonly at: number; readonly why: string };

const DEEPEST = 100;

/** Reads a whole text. What is not JSON with comments is refused, with its place. */
export function readJsonText(text: string): JsonReading {
  try {
    const reader = new Reader(text);
    const root = reader.value(0);
    reader.skip();
    return reader.at < text.length ? { ok: false, at: reader.at, why: "something follows the end" } : { ok: true, root };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, at: error.at, why: error.message };
    throw error;
  }
}

export function plainOf(node: JsonNode): JsonValue {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "array") return node.items.map(({ value }) => plainOf(value));
  return Object.fromEntries(node.members.map(({ key, value }) => [key, plainOf(value)]));
}

/** After the blanks and comments at a place. */
export function skipBlanks(text: string, from: number): number {
  const reader = new Reader(text, from);
  reader.skip();
  return reader.at;
}

class Unreadable extends Error {
  readonly at: number;

  constructor(at: number, why: string) {
    super(why);
    this.at = at;
  }
}

class Reader {
  readonly #text: string;
  at: number;

  constructor(text: string, at = 0) {
    this.#text = text;
    this.at = at;
  }

  value(depth: number): JsonNode {
    this.skip();
    if (depth > DEEPEST) throw new Unreadable(this.at, "it is nested too deeply");
    const start = this.at;
    const first = this.#text[start];
    if (first === "{") return this.#object(depth);
    if (first === "[") return this.#array(depth);
    if (first === '"') return { kind: "scalar", value: this.#string(), start, end: this.at };
    const [word = ""] =
      /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/.exec(this.#text.slice(start, start + 400)) ?? [];
    if (word === "") throw new Unreadable(start, start >= this.#text.length ? "it ends too early" : "a value was expected");
    this.at += word.length;
    return { kind: "scalar", value: JSON.parse(word) as number | boolean | null, start, end: this.at };
  }

  #object(depth: number): JsonObjectNode {
    const start = this.at++;
    const members: JsonMember[] = [];
    for (;;) {
      this.skip();
      if (this.#text[this.at] === "}") return { kind: "object", members, start, end: ++this.at };
      if (members.length > 0 && members.at(-1)?.comma === undefined) throw new Unreadable(this.at, "a comma or } was expected");
      const keyAt = this.at;
      if (this.#text[keyAt] !== '"')
        throw new Unreadable(keyAt, keyAt >= this.#text.length ? "it ends too early" : "a name in quotes was expected");
      const key = this.#string();
      this.skip();
      if (this.#text[this.at] !== ":") throw new Unreadable(this.at, "a colon was expected");
      this.at++;
      const value = this.value(depth + 1);
      members.push({ key, start: keyAt, value, comma: this.#comma() });
    }
  }

  #array(depth: number): JsonArrayNode {
    const start = this.at++;
    const items: { value: JsonNode; start: number; comma: number | undefined }[] = [];
    for (;;) {
      this.skip();
      if (this.#text[this.at] === "]") return { kind: "array", items, start, end: ++this.at };
      if (items.length > 0 && items.at(-1)?.comma === undefined) throw new Unreadable(this.at, "a comma or ] was expected");
      const value = this.value(depth + 1);
      items.push({ value, start: value.start, comma: this.#comma() });
    }
  }

  #comma(): number | undefined {
    const back = this.at;
    this.skip();
    if (this.#text[this.at] === ",") return this.at++;
    this.at = back;
    return undefined;
  }

  #string(): string {
    const start = this.at;
    for (let at = start + 1; at < this.#text.length; at++) {
      const character = this.#text[at];
      if (character === "\\") at++;
      else if (character === '"') {
        this.at = at + 1;
        try {
          return JSON.parse(this.#text.slice(start, at + 1)) as string;
        } catch {
          break; // a control character, or an escape that there is not
        }
      }
    }
    throw new Unreadable(start, "a text has no end, or holds what has to be escaped");
  }

  /** Over blanks and comments. */
  skip(): void {
    for (;;) {
      const character = this.#text[this.at];
      if (character === " " || character === "\t" || character === "\n" || character === "\r") this.at++;
      else if (this.#text.startsWith("//", this.at)) {
        const end = this.#text.indexOf("\n", this.at);
        this.at = end < 0 ? this.#text.length : end;
      } else if (this.#text.startsWith("/*", this.at)) {
        const end = this.#text.indexOf("*/", this.at + 2);
        if (end < 0) throw new Unreadable(this.at, "a comment has no end");
        this.at = end + 2;
      } else return;
    }
  }
}
