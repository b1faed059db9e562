import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol/json";
import { nearest } from "@earshot/protocol/nearest";
import { isList } from "../mapping/json-values.ts";
import type { LocatedProblem, Strictness, YamlText } from "./read-yaml.ts";

const MAX_TROUBLES = 50;

/** Reads the plain values of a file and reports problems by line and column. */
export class Inspector {
  readonly troubles: LocatedProblem[];
  readonly #place: YamlText["place"];
  readonly #strictness: Strictness;

  constructor(place: YamlText["place"], strictness: Strictness, warnings: readonly LocatedProblem[]) {
    this.#place = place;
    this.#strictness = strictness;
    this.troubles = [...warnings];
  }

  get hasErrors(): boolean {
    return this.troubles.some(({ severity }) => severity === "error");
  }

  error(pointer: string, message: string, hint: string): void {
    this.#report("error", pointer, message, hint);
  }

  warning(pointer: string, message: string, hint: string): void {
    this.#report("warning", pointer, message, hint);
  }

  lineOf(pointer: string): number {
    return this.#place(pointer).line;
  }

  /** Unknown members: a mistake in our files, possibly a later version in other people's. `x-` is always allowed. */
  members(map: JsonObject, pointer: string, known: readonly string[]): void {
    for (const name of Object.keys(map)) {
      if (known.includes(name) || name.startsWith("x-")) continue;
      const near = nearest(name, known)[0];
      const hint = near === undefined ? `Known here: ${known.join(", ")}.` : `Is \`${near}\` meant?`;
      this.#report(
        this.#strictness === "strict" ? "error" : "warning",
        childPointer(pointer, name),
        `\`${name.slice(0, 60)}\` is not known here.`,
        hint,
      );
    }
  }

  map(value: JsonValue | undefined, pointer: string): JsonObject | undefined {
    if (value === undefined) return undefined;
    if (isObject(value)) return value;
    this.error(pointer, "Keys and values are asked for here.", "Write `key: value` lines below it.");
    return undefined;
  }

  list(value: JsonValue | undefined, pointer: string): readonly JsonValue[] {
    if (value === undefined) return [];
    if (isList(value)) return value;
    this.error(pointer, "A list is asked for here.", "Begin each item with `- `.");
    return [];
  }

  text(value: JsonValue | undefined, pointer: string): string | undefined {
    if (value === undefined) return undefined;
    if (typeof value === "string" && value !== "") return value;
    const hint = typeof value === "string" ? "It must not be empty." : "If this is the text, write it in quotes.";
    this.error(pointer, "A text is asked for here.", hint);
    return undefined;
  }

  required(map: JsonObject, name: string, pointer: string): string | undefined {
    if (map[name] === undefined) this.error(pointer, `\`${name}\` is missing.`, "It is needed.");
    return this.text(map[name], childPointer(pointer, name));
  }

  /** One text, or a list of texts. */
  texts(value: JsonValue | undefined, pointer: string): readonly string[] {
    if (value === undefined) return [];
    return (isList(value) ? value : [value]).flatMap(
      (item, index) => this.text(item, isList(value) ? childPointer(pointer, index) : pointer) ?? [],
    );
  }

  flag(value: JsonValue | undefined, pointer: string): boolean {
    if (value === undefined || typeof value === "boolean") return value === true;
    this.error(pointer, "true or false is asked for here.", "YAML 1.2 reads yes, no, on and off as texts.");
    return false;
  }

  #report(severity: LocatedProblem["severity"], pointer: string, message: string, hint: string): void {
    if (this.troubles.length < MAX_TROUBLES) this.troubles.push({ severity, ...this.#place(pointer), message, hint });
  }
}

export function childPointer(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
