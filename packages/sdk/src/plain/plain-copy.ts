import { maskSecrets } from "@earshot/protocol/secrets";

/** A JSON value. */
export type Plain = null | boolean | number | string | Plain[] | PlainObject;
export interface PlainObject {
  [key: string]: Plain;
}

/** Receivers reject deeper structures. */
const MAX_DEPTH = 16;
const MAX_KEY_LENGTH = 256;
/** Characters a long text leaves for the members after it. */
const RESERVE = 4000;

/**
 * Copies a caller's value as JSON within a character budget. Values come from models, tools and libraries: they may be cyclic, throw when
 * read, or be endless. Nothing here throws, and omissions are marked.
 *
 * The copy is made synchronously, because the agent may change its objects after the call.
 */
export class PlainCopy {
  #left: number;
  readonly #ancestors: object[] = [];

  constructor(characters: number) {
    this.#left = characters;
  }

  /** Undefined for values that JSON omits. */
  of(value: unknown): Plain | undefined {
    switch (typeof value) {
      case "string":
        return this.#text(value);
      case "number":
        this.#left -= Number.isInteger(value) ? 16 : 24;
        return Number.isFinite(value) ? value : String(value);
      case "boolean":
        this.#left -= 5;
        return value;
      case "bigint":
        return this.#text(String(value));
      case "symbol":
        return this.#text(`[${String(value)}]`);
      case "function":
        return "[function]";
      case "object":
        return value === null ? null : this.#object(value);
      default:
        return undefined;
    }
  }

  /** Masks secrets before anything is sent or stored: the text may wait on disk for the hub. */
  #text(said: string): string {
    const text = maskSecrets(said);
    const allowed = Math.max(this.#left - RESERVE, this.#left >> 1, 0);
    if (text.length <= allowed) {
      this.#left -= text.length + 2;
      return text.isWellFormed() ? text : text.toWellFormed();
    }
    const kept = cutWithNote(text, allowed);
    this.#left -= kept.length + 2;
    return kept;
  }

  #object(value: object): Plain | undefined {
    if (this.#ancestors.includes(value)) return "[circular]";
    if (this.#ancestors.length >= MAX_DEPTH) return "[too deep]";
    if (this.#left <= 0) return "[cut]";
    this.#left -= 2;
    this.#ancestors.push(value);
    try {
      return this.#members(value);
    } catch {
      return "[unreadable]"; // a getter, a proxy or a toJSON of somebody else's: its failure is not the agent's
    } finally {
      this.#ancestors.pop();
    }
  }

  #members(value: object): Plain | undefined {
    if (Array.isArray(value)) return this.#list(value, value.length);
    if (value instanceof Error) return this.#keyed([...errorMembers(value)]);
    if (value instanceof Map) return this.#keyed(value);
    if (value instanceof Set) return this.#list(value, value.size);
    if (value instanceof RegExp) return this.#text(String(value));
    if (value instanceof Promise) return "[promise]";
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
    if ("toJSON" in value && typeof value.toJSON === "function") return this.of(value.toJSON());
    return this.#keyed(ownMembers(value));
  }

  #list(values: Iterable<unknown>, length: number): Plain[] {
    const list: Plain[] = [];
    for (const value of values) {
      if (this.#left <= 0) {
        list.push(`… ${length - list.length} more`);
        break;
      }
      this.#left -= 1;
      list.push(this.of(value) ?? null);
    }
    return list;
  }

  #keyed(members: Iterable<readonly [unknown, unknown]>): PlainObject {
    const object: PlainObject = {};
    for (const [key, value] of members) {
      if (this.#left <= 0) {
        object["…"] = "more";
        break;
      }
      const plain = this.of(value);
      if (plain === undefined) continue;
      const name = toKey(key);
      this.#left -= name.length + 4;
      object[name] = plain;
    }
    return object;
  }
}

/** The start of a text with the number of missing characters. */
export function cutWithNote(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length).toWellFormed()}… [${text.length - length} characters cut]`;
}

function* ownMembers(value: object): Generator<readonly [string, unknown]> {
  for (const key of Object.keys(value)) yield [key, readMember(value, key)];
}

function readMember(value: object, key: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>>)[key];
  } catch {
    return "[unreadable]"; // one member that throws does not cost the others
  }
}

/** Without the stack, which names folders of the agent's machine. */
function* errorMembers(error: Error): Generator<readonly [string, unknown]> {
  yield ["name", readMember(error, "name")];
  yield ["message", readMember(error, "message")];
  yield* ownMembers(error);
}

/** Receivers reject events with keys that could change an object's prototype. */
function toKey(key: unknown): string {
  const text = typeof key === "string" ? key : typeof key === "object" || typeof key === "function" ? "[object]" : String(key);
  const name = text.length <= MAX_KEY_LENGTH && text.isWellFormed() ? text : cutWithNote(text, MAX_KEY_LENGTH).toWellFormed();
  return name === "__proto__" || name === "constructor" || name === "prototype" ? `[${name}]` : name;
}
