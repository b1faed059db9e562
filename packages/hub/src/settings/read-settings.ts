import { type PolicyYaml, readStrictYaml, type YamlFileKind } from "@earshot/policy/yaml";
import { type JsonValue, nearest } from "@earshot/protocol";
import { isMap, isNode, isScalar, isSeq, type Node, type Scalar } from "yaml";
import { isOrigin } from "../access/names.ts";
import { type HubSettings, type SettingsProblem, type SettingsReading, settingsSchema } from "./settings.ts";

const MAX_TROUBLES = 20;

/** The part of JSON Schema used by the settings: the published schema is the one used here. */
interface Shape {
  readonly type?: string;
  /** A fixed value, or a type. */
  readonly anyOf?: readonly Shape[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly patternProperties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly maxItems?: number;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The settings in a text, or all of its problems. */
export function parseSettings(text: string): SettingsReading<HubSettings> {
  const yaml = readStrictYaml(text, SETTINGS_YAML);
  if (!yaml.ok) return { ok: false, troubles: yaml.troubles.slice(0, MAX_TROUBLES) };
  const { root, place } = yaml.value;
  if (root === undefined) return { ok: true, value: {} };
  const reader = new SettingsReader(place);
  const value = reader.read(root, settingsSchema, "");
  // The shape was read from the schema itself; a test holds the two together.
  return reader.troubles.length === 0 ? { ok: true, value: value as HubSettings } : { ok: false, troubles: reader.troubles };
}

/** Reads a YAML tree by a schema, and describes problems in the file's terms. */
class SettingsReader {
  readonly troubles: SettingsProblem[] = [];
  readonly #place: PolicyYaml["place"];

  constructor(place: PolicyYaml["place"]) {
    this.#place = place;
  }

  read(node: Node, shape: Shape, name: string): JsonValue | undefined {
    const [special, usual] = shape.anyOf ?? [];
    if (special !== undefined && usual !== undefined) {
      return isScalar(node) && node.value === special.const && node.source === String(special.const) ? 0 : this.read(node, usual, name);
    }
    if (shape.type === "object") return this.#readMap(node, shape, name);
    if (shape.type === "array") return this.#readList(node, shape, name);
    if (!isScalar(node)) return this.#refuse(node, `\`${name}\` takes a single value.`, takes(shape));
    if (node.value === null) return this.#refuse(node, `\`${name}\` has no value.`, "Give it one, or remove the line.");
    if (shape.type === "boolean") return this.#readBoolean(node, name);
    if (shape.type === "integer") return this.#readInteger(node, shape, name);
    return this.#readText(node, shape, name);
  }

  #readMap(node: Node, shape: Shape, name: string): JsonValue | undefined {
    if (!isMap(node)) {
      const what = name === "" ? "The file is no list of settings." : `\`${name}\` takes settings of its own.`;
      return this.#refuse(node, what, name === "" ? "Each line is `key: value`." : takes(shape));
    }
    const settings: Record<string, JsonValue> = {};
    for (const { key, value } of node.items) {
      const word = isScalar(key) ? (key.source ?? String(key.value)) : "";
      const at = isNode(key) ? key : node;
      const member = memberOf(shape, word);
      const path = name === "" ? word : `${name}.${word}`;
      if (member === undefined) this.#refuse(at, `There is no setting \`${brief(path)}\`.`, hintForKey(word, shape));
      else if (!isNode(value)) this.#refuse(at, `\`${path}\` has no value.`, "Give it one, or remove the line.");
      else {
        const read = this.read(value, member, path);
        if (read !== undefined) settings[word] = read;
      }
    }
    return settings;
  }

  #readList(node: Node, { items = {}, maxItems = 1000 }: Shape, name: string): JsonValue | undefined {
    if (!isSeq(node)) return this.#refuse(node, `\`${name}\` takes a list.`, `In brackets, with commas: ${name}: [aop, aep]`);
    if (node.items.length > maxItems) return this.#refuse(node, `\`${name}\` has more than ${maxItems} entries.`, "Use `all`.");
    const list: JsonValue[] = [];
    for (const item of node.items) {
      const read = isNode(item) ? this.read(item, items, name) : undefined;
      if (read !== undefined) list.push(read);
    }
    return list;
  }

  #readBoolean(node: Scalar, name: string): boolean | undefined {
    const { value } = node;
    if (typeof value === "boolean") return value;
    const word = String(value).toLowerCase();
    const meant = /^(?:y|yes|on|true|1)$/.test(word) ? "true" : /^(?:n|no|off|false|0)$/.test(word) ? "false" : undefined;
    if (meant === undefined) return this.#refuse(node, `\`${name}\` is either true or false, not ${shown(node)}.`, "Write true or false.");
    const why = isQuoted(node) ? `${shown(node)} is a text, because of the quotes` : `${shown(node)} does not mean ${meant} in YAML 1.2`;
    return this.#refuse(node, `\`${name}\` is either true or false; ${why}.`, `Write ${meant}.`);
  }

  #readInteger(node: Scalar, { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Shape, name: string): number | undefined {
    const { value, source = "" } = node;
    const digits = /^-?(?:0|[1-9]\d*)$/.test(source);
    if (typeof value === "number" && digits) {
      if (value >= minimum && value <= maximum) return value;
      return this.#refuse(node, `\`${name}\` is ${brief(source)}, which is out of range.`, `A whole number from ${minimum} to ${maximum}.`);
    }
    if (typeof value === "number" && Number.isSafeInteger(value)) {
      return this.#refuse(
        node,
        `\`${name}\` is written as ${brief(source)}, which YAML reads as ${value}.`,
        `If that is meant, write ${value}.`,
      );
    }
    const why = isQuoted(node) ? " is a text, because of the quotes" : " is no whole number";
    return this.#refuse(
      node,
      `\`${name}\`: ${shown(node)}${why}.`,
      `Digits only, from ${minimum} to ${maximum}: no unit, no exponent, no underscore.`,
    );
  }

  #readText(node: Scalar, shape: Shape, name: string): string | undefined {
    const { value } = node;
    if (typeof value !== "string") {
      const kind = typeof value === "boolean" ? "true or false" : "a number";
      return this.#refuse(node, `\`${name}\` takes a text; YAML reads ${shown(node)} as ${kind}.`, takes(shape));
    }
    if (shape.enum !== undefined && !shape.enum.includes(value)) {
      const known = shape.enum.map(String);
      const [near] = nearest(value, known);
      const hint = near === undefined ? takes(shape) : `Did you mean ${near}?`;
      return this.#refuse(node, `\`${name}\` cannot be ${shown(node)}.`, hint);
    }
    const isAddress = shape.format !== "uri" || (name === "allowOrigins" ? isOrigin(value) : URL.canParse(value));
    const fits =
      isAddress && value.length <= (shape.maxLength ?? 1000) && (shape.pattern === undefined || new RegExp(shape.pattern, "u").test(value));
    return fits ? value : this.#refuse(node, `\`${name}\` cannot be ${shown(node)}.`, HINTS[name] ?? SOURCES);
  }

  #refuse(node: Node, message: string, hint: string): undefined {
    this.troubles.push({ ...this.#place(node.range?.[0] ?? 0), message, hint });
    return undefined;
  }
}

const SOURCES = "A source is all, a protocol (aaep, aep, aop), or a protocol and a name such as aop/local.";
const HINTS: Readonly<Record<string, string>> = {
  publicUrl: "An address that begins with https:// and has no path, such as https://earshot.example.org",
  allowOrigins: "An origin as browsers send it, without a path: https://app.example or http://localhost:3000. Never all of them.",
};

function memberOf({ properties = {}, patternProperties = {} }: Shape, key: string): Shape | undefined {
  if (Object.hasOwn(properties, key)) return properties[key];
  return Object.entries(patternProperties).find(([pattern]) => new RegExp(pattern, "u").test(key))?.[1];
}

function hintForKey(word: string, { properties, patternProperties }: Shape): string {
  if (properties === undefined && patternProperties !== undefined) return SOURCES;
  const known = Object.keys(properties ?? {});
  // Settings use camel case; flags have hyphens.
  const [near] = nearest(word.replaceAll(/[-_\s]/g, ""), known);
  return near === undefined ? `There are ${known.join(", ")}.` : `Did you mean \`${near}\`?`;
}

/** The type of a setting's value, in a few words. */
function takes(shape: Shape): string {
  if (shape.enum !== undefined) return `One of ${shape.enum.join(", ")}.`;
  if (shape.properties !== undefined) return `On lines of their own, indented: ${Object.keys(shape.properties).join(", ")}.`;
  if (shape.patternProperties !== undefined) return "On lines of their own, indented, one for each source: `all: summary`.";
  return { boolean: "Write true or false.", integer: "Write a whole number." }[shape.type ?? ""] ?? "Put a text in quotes.";
}

function isQuoted({ type }: Scalar): boolean {
  return type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE";
}

function shown(node: Scalar): string {
  return isQuoted(node) ? JSON.stringify(brief(String(node.value))) : `\`${brief(node.source ?? String(node.value))}\``;
}

function brief(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

export const MAX_FILE_BYTES = 64 * 1024;

/** A hand-written settings file is small and flat. */
export const SETTINGS_YAML: YamlFileKind = {
  mostCharacters: MAX_FILE_BYTES,
  mostLevels: 32,
  hints: {
    tooLarge: "Settings take a few lines.",
    tooDeep: "Settings have two levels at most.",
    notYaml: "Each line is `key: value`; lists begin with `- `.",
    reference: "Write the value itself.",
  },
};
