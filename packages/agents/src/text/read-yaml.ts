import { parseYaml, type YamlFileKind } from "@earshot/policy/yaml";
import type { JsonObject, JsonValue } from "@earshot/protocol/json";
import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair } from "yaml";
import { isForbiddenName } from "../mapping/json-values.ts";

/** A problem in a hand-written file, with its position. An error makes the file unusable. */
export interface LocatedProblem {
  readonly severity: "error" | "warning";
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly hint: string;
}

/** The value read, with any problems; or only the problems. */
export type ReadResult<Value> =
  | { readonly ok: true; readonly value: Value; readonly warnings: readonly LocatedProblem[] }
  | { readonly ok: false; readonly troubles: readonly LocatedProblem[] };

/**
 * Shipped files are read strictly. Other files are read leniently: unknown members are reported and dropped, and the last of two equal
 * keys counts, because published files contain such keys.
 */
export type Strictness = "strict" | "lenient";

const MAX_LEVELS = 48;
/** Deeper indentation and longer bracket sequences are not hand-written. */
const AGENT_YAML: YamlFileKind = {
  mostCharacters: 512 * 1024,
  mostLevels: 200,
  mostColumns: 200,
  hints: {
    tooLarge: "Split it, or leave examples out.",
    tooDeep: `At most ${MAX_LEVELS} levels are read.`,
    notYaml: "Each line is `key: value`; lists begin with `- `.",
    reference: "Write the value itself.",
  },
};
/** Counted after references are resolved, so that a few lines cannot expand to millions of values. */
const MAX_VALUES = 50_000;
const MAX_TROUBLES = 20;

/** A text as plain values, with the position of each. */
export interface YamlText {
  readonly value: JsonValue;
  readonly place: (pointer: string) => Pick<LocatedProblem, "line" | "column">;
}

/**
 * YAML 1.2 core schema, which includes JSON. Tags, merge keys, directives and multiple documents are rejected because they change the
 * meaning of the text. References are resolved within the limit on values.
 */
export function readYaml(text: string, strictness: Strictness): ReadResult<YamlText> {
  const parsed = parseYaml(text, AGENT_YAML, false);
  const { document, troubles } = parsed;
  if (document === undefined || troubles.length > 0) {
    return { ok: false, troubles: troubles.slice(0, MAX_TROUBLES).map((trouble) => ({ severity: "error", ...trouble })) };
  }
  const { place } = parsed;
  const reader = new ValueReader(document, strictness, place);
  const value = reader.read(document.contents, "", 0);
  const errors = reader.troubles.filter(({ severity }) => severity === "error");
  if (errors.length > 0) return { ok: false, troubles: reader.troubles.slice(0, MAX_TROUBLES) };
  const { offsets } = reader;
  return {
    ok: true,
    value: { value: value ?? null, place: (pointer) => place(nearestOffset(offsets, pointer)) },
    warnings: reader.troubles.slice(0, MAX_TROUBLES),
  };
}

/** A missing member is reported at its parent. */
function nearestOffset(offsets: ReadonlyMap<string, number>, pointer: string): number {
  for (let rest = pointer; rest !== ""; rest = rest.slice(0, rest.lastIndexOf("/"))) {
    const offset = offsets.get(rest);
    if (offset !== undefined) return offset;
  }
  return offsets.get("") ?? 0;
}

/** Converts the parser's nodes to plain values in one pass and records their positions. */
class ValueReader {
  readonly troubles: LocatedProblem[] = [];
  readonly offsets = new Map<string, number>();
  readonly #document: Document;
  readonly #strictness: Strictness;
  readonly #place: (offset: number) => Pick<LocatedProblem, "line" | "column">;
  readonly #open = new Set<Node>();
  #values = 0;

  constructor(document: Document, strictness: Strictness, place: (offset: number) => Pick<LocatedProblem, "line" | "column">) {
    this.#document = document;
    this.#strictness = strictness;
    this.#place = place;
  }

  read(node: unknown, pointer: string, level: number): JsonValue | undefined {
    if (node === null || node === undefined) return null;
    const offset = (node as Node).range?.[0] ?? 0;
    if (!this.offsets.has(pointer)) this.offsets.set(pointer, offset);
    if (++this.#values > MAX_VALUES) {
      if (this.#values === MAX_VALUES + 1) this.#refuse(offset, "There are too many values here.", "References multiply what they name.");
      return undefined;
    }
    if (level > MAX_LEVELS) return this.#refuse(offset, "This is nested too deeply.", `At most ${MAX_LEVELS} levels are read.`);
    if (isAlias(node)) return this.#follow(node, pointer, level);
    if ((node as Node).tag !== undefined) {
      return this.#refuse(offset, `Tags such as ${String((node as Node).tag).slice(0, 60)} are not read here.`, "Remove the tag.");
    }
    if (isScalar(node)) return this.#scalar(node.value, offset);
    if (isSeq(node)) return node.items.map((item, index) => this.read(item, `${pointer}/${index}`, level + 1) ?? null);
    if (isMap(node)) return this.#map(node.items, pointer, level);
    return this.#refuse(offset, "This is not read here.", "Use plain values, lists and keys.");
  }

  #follow(node: Alias, pointer: string, level: number): JsonValue | undefined {
    const target = node.resolve(this.#document);
    const offset = node.range?.[0] ?? 0;
    if (target === undefined || this.#open.has(target)) {
      return this.#refuse(offset, "The reference leads nowhere, or into itself.", "Write the value itself.");
    }
    this.#open.add(target);
    const value = this.read(target, pointer, level + 1);
    this.#open.delete(target);
    return value;
  }

  #scalar(value: unknown, offset: number): JsonValue | undefined {
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    return this.#refuse(offset, "This number cannot be written as JSON.", "Write it in quotes if a text is meant.");
  }

  #map(items: readonly Pair[], pointer: string, level: number): JsonObject {
    const map: Record<string, JsonValue> = {};
    for (const { key, value } of items) {
      const name = this.#key(key);
      if (name === undefined) continue;
      const inner = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      const offset = (key as Node).range?.[0] ?? 0;
      if (Object.hasOwn(map, name)) {
        const severity = this.#strictness === "strict" ? "error" : "warning";
        const message = `The key ${JSON.stringify(name.slice(0, 80))} was there before${severity === "warning" ? "; this one counts" : ""}.`;
        this.#report(severity, offset, message, "Write each key once.");
      }
      this.offsets.set(inner, offset);
      const read = this.read(value, inner, level + 1);
      if (read !== undefined) map[name] = read;
    }
    return map;
  }

  #key(key: unknown): string | undefined {
    const offset = (key as Node | null)?.range?.[0] ?? 0;
    if (!isScalar(key) || key.tag !== undefined || key.value === null) {
      return this.#refuse(offset, "A key is a plain word or text.", "Write `key: value`.");
    }
    const name = String(key.value);
    if (typeof key.value !== "string" && key.source !== name) {
      return this.#refuse(offset, `The key ${key.source} is read as ${name}.`, "Write it in quotes.");
    }
    if (name === "<<") return this.#refuse(offset, "Merge keys (<<) are not read here.", "Write the keys themselves.");
    if (isForbiddenName(name))
      return this.#refuse(offset, `${name} cannot be a key here.`, "It attacks programs that read it. Use another name.");
    return name;
  }

  #refuse(offset: number, message: string, hint: string): undefined {
    this.#report("error", offset, message, hint);
    return undefined;
  }

  #report(severity: LocatedProblem["severity"], offset: number, message: string, hint: string): void {
    if (this.troubles.length < MAX_TROUBLES) this.troubles.push({ severity, ...this.#place(offset), message, hint });
  }
}
