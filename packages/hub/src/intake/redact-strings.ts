import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol/json";
import { pointerTo } from "@earshot/protocol/problem";

/** Decides what happens to the strings of a JSON text; unchanged strings are returned as they are. */
export interface StringRewriter {
  /** `key` is the name of the string's member, undefined inside an array. */
  value(said: string, pointer: string, key: string | undefined): string;
  /** The pointer refers to the object. The result must not equal another of its keys. */
  key(said: string, pointer: string, object: JsonObject): string;
}

export interface Rewritten {
  readonly text: string;
  readonly value: JsonValue;
}

/**
 * Rewrites strings of a JSON text and of its value together. Only their literals change: numbers, white space and member order are
 * preserved, because a reserialized number may differ. The text must be JSON and match the value; unchanged parts are shared with the
 * given value.
 */
export function rewriteJsonStrings(text: string, value: JsonValue, rewriter: StringRewriter): Rewritten | undefined {
  const pen = new Pen(text, rewriter);
  const rewritten = pen.copy(value, "", undefined);
  const written = pen.end();
  return written === undefined ? undefined : { text: written, value: rewritten };
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;
const OPENING_BRACKET = 91;
const CLOSING_BRACKET = 93;
const COMMA = 44;
const COLON = 58;

/** Walks the text and the value in parallel. */
class Pen {
  readonly #text: string;
  readonly #rewriter: StringRewriter;
  readonly #pieces: string[] = [];
  #at = 0;
  /** Start of the unwritten text. */
  #from = 0;

  constructor(text: string, rewriter: StringRewriter) {
    this.#text = text;
    this.#rewriter = rewriter;
  }

  end(): string | undefined {
    if (this.#pieces.length === 0) return undefined;
    this.#pieces.push(this.#text.slice(this.#from));
    return this.#pieces.join("");
  }

  copy(value: JsonValue, pointer: string, key: string | undefined): JsonValue {
    const code = this.#next();
    if (code === QUOTE && typeof value === "string") return this.#string((said) => this.#rewriter.value(said, pointer, key), value);
    if (code === OPENING_BRACE && isObject(value)) return this.#object(value, pointer);
    if (code === OPENING_BRACKET && Array.isArray(value)) return this.#array(value, pointer);
    while (this.#at < this.#text.length && !endsScalar(this.#text.charCodeAt(this.#at))) this.#at++;
    return value;
  }

  #object(object: JsonObject, pointer: string): JsonObject {
    let changed: Record<string, JsonValue | undefined> | undefined;
    this.#at++;
    while (this.#next() === QUOTE) {
      const said = this.#literal();
      const key = this.#string((name) => this.#rewriter.key(name, pointer, changed ?? object), said);
      if (this.#next() === COLON) this.#at++;
      const member = object[said];
      const copied = this.copy(member ?? null, pointer + pointerTo(key), said);
      if (key !== said || (copied !== member && member !== undefined)) {
        changed ??= { ...object };
        if (key !== said) delete changed[said];
        changed[key] = copied;
      }
      if (this.#next() === COMMA) this.#at++;
    }
    if (this.#next() === CLOSING_BRACE) this.#at++;
    return changed ?? object;
  }

  #array(array: readonly JsonValue[], pointer: string): readonly JsonValue[] {
    let changed: JsonValue[] | undefined;
    this.#at++;
    for (let index = 0; index < array.length; index++) {
      const item = array[index] ?? null;
      const copied = this.copy(item, `${pointer}/${index}`, undefined);
      if (copied !== item) {
        changed ??= [...array];
        changed[index] = copied;
      }
      if (this.#next() === COMMA) this.#at++;
    }
    if (this.#next() === CLOSING_BRACKET) this.#at++;
    return changed ?? array;
  }

  /** The literal begins here. */
  #string(rewrite: (said: string) => string, said: string): string {
    const written = rewrite(said);
    const start = this.#at;
    this.#at = this.#endOfLiteral() + 1;
    if (written === said) return said;
    this.#pieces.push(this.#text.slice(this.#from, start), JSON.stringify(written));
    this.#from = this.#at;
    return written;
  }

  #literal(): string {
    const literal = this.#text.slice(this.#at, this.#endOfLiteral() + 1);
    return literal.includes("\\") ? (JSON.parse(literal) as string) : literal.slice(1, -1);
  }

  #endOfLiteral(): number {
    let index = this.#at + 1;
    while (index < this.#text.length && this.#text.charCodeAt(index) !== QUOTE) index += this.#text.charCodeAt(index) === BACKSLASH ? 2 : 1;
    return index;
  }

  /** The next character other than white space. */
  #next(): number {
    while (this.#text.charCodeAt(this.#at) <= 32) this.#at++;
    return this.#text.charCodeAt(this.#at);
  }
}

function endsScalar(code: number): boolean {
  return code <= 32 || code === COMMA || code === CLOSING_BRACE || code === CLOSING_BRACKET;
}
