import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol/json";
import { nearest } from "@earshot/protocol/nearest";
import { childPointer, type Inspector } from "../text/inspector.ts";
import { OTHER_SOURCE } from "./compile-value.ts";
import { isList, isPlain, parsePointer } from "./json-values.ts";
import type { Condition, ConditionTest, Transform, ValueRule } from "./mapping.ts";
import { createPattern } from "./pattern.ts";
import { TRANSFORMS, wantedParameter } from "./transforms.ts";

const KNOWN = ["source", "concat", "value", "default", "map", "transform", "when"] as const;

/** One rule, or a list of rules of which the first with a value counts. */
export function readValueRules(
  value: JsonValue | undefined,
  pointer: string,
  inspector: Inspector,
  beside: readonly string[] = [],
): readonly ValueRule[] {
  if (isList(value)) return value.flatMap((item, index) => readValueRule(item, childPointer(pointer, index), inspector, beside) ?? []);
  const rule = readValueRule(value, pointer, inspector, beside);
  return rule === undefined ? [] : [rule];
}

function readValueRule(
  value: JsonValue | undefined,
  pointer: string,
  inspector: Inspector,
  beside: readonly string[],
): ValueRule | undefined {
  if (!isObject(value)) {
    inspector.error(pointer, "A rule is asked for here.", "{ source: /pointer } or { value: constant }");
    return undefined;
  }
  inspector.members(value, pointer, [...KNOWN, ...beside]);
  const ways = (["source", "concat", "value"] as const).filter((name) => value[name] !== undefined);
  if (ways.length !== 1) {
    const message = ways.length === 0 ? "The rule says nowhere where its value comes from." : `The rule has both ${ways.join(" and ")}.`;
    inspector.error(pointer, message, "One of `source`, `concat` and `value` is needed.");
    return undefined;
  }
  const transforms = readTransforms(value["transform"], childPointer(pointer, "transform"), inspector);
  const map = readMap(value, pointer, inspector);
  const conditions = readConditions(value["when"], childPointer(pointer, "when"), inspector);
  for (const name of ["value", "default"] as const) {
    if (!isPlain(value[name]) || value[name] === null)
      inspector.error(childPointer(pointer, name), "A value that is not null is asked for here.", "What is not known is left out.");
  }
  return {
    ...readOrigin(value, pointer, inspector),
    ...(value["default"] === undefined ? {} : { default: value["default"] }),
    ...(transforms.length === 0 ? {} : { transforms }),
    ...(map === undefined ? {} : { map }),
    ...(conditions.length === 0 ? {} : { when: conditions }),
  };
}

function readOrigin(rule: JsonObject, pointer: string, inspector: Inspector): Pick<ValueRule, "sources" | "concat" | "value"> {
  if (rule["value"] !== undefined) return { value: rule["value"] };
  const name = rule["concat"] === undefined ? "source" : "concat";
  const sources = readSources(rule[name], childPointer(pointer, name), inspector);
  return name === "source" ? { sources } : { concat: sources };
}

export function readSources(value: JsonValue | undefined, pointer: string, inspector: Inspector): readonly string[] {
  // The empty pointer, which is the whole payload, is an empty text.
  const list = isList(value) ? value : value === undefined ? [] : [value];
  return list.flatMap((source, index) => {
    if (typeof source === "string" && (OTHER_SOURCE.test(source) || parsePointer(source) !== undefined)) return [source];
    const shown = typeof source === "string" ? JSON.stringify(source.slice(0, 80)) : "This";
    inspector.error(
      isList(value) ? childPointer(pointer, index) : pointer,
      `${shown} is not a source.`,
      "A JSON Pointer such as /tool_input/command, env:NAME, arg:N, meta:received_at or meta:hook.",
    );
    return [];
  });
}

function readMap(rule: JsonObject, pointer: string, inspector: Inspector): Readonly<Record<string, JsonValue>> | undefined {
  const place = childPointer(pointer, "map");
  const map = inspector.map(rule["map"], place);
  if (map === undefined) return undefined;
  const entries = Object.entries(map).flatMap(([key, value]): [string, JsonValue][] => {
    if (value !== undefined && value !== null) return [[key, value]];
    inspector.error(
      childPointer(place, key),
      "A value that is not null is asked for here.",
      "Leave the line out: what is not in the map is left out.",
    );
    return [];
  });
  return Object.fromEntries(entries);
}

function readTransforms(value: JsonValue | undefined, pointer: string, inspector: Inspector): readonly Transform[] {
  if (value === undefined) return [];
  const list = isList(value) ? value : [value];
  return list.flatMap((item, index) => {
    const place = isList(value) ? childPointer(pointer, index) : pointer;
    const [name, ...more] = isObject(item) ? Object.keys(item) : [];
    const transform: Transform | undefined =
      typeof item === "string"
        ? { name: item }
        : isObject(item) && name !== undefined && more.length === 0
          ? withParameter(name, item[name])
          : undefined;
    if (transform === undefined || !Object.hasOwn(TRANSFORMS, transform.name)) {
      const near = transform === undefined ? [] : nearest(transform.name, Object.keys(TRANSFORMS));
      inspector.error(
        place,
        "This is not a transform.",
        near.length === 0 ? `Known: ${Object.keys(TRANSFORMS).join(", ")}.` : `Is \`${near[0]}\` meant?`,
      );
      return [];
    }
    const wanted = wantedParameter(transform.name, transform.parameter);
    if (wanted === undefined) return [transform];
    inspector.error(
      place,
      `\`${transform.name}\` takes ${wanted}.`,
      wanted === "no parameter" ? transform.name : `{ ${transform.name}: … }`,
    );
    return [];
  });
}

function withParameter(name: string, parameter: JsonValue | undefined): Transform {
  return parameter === undefined || parameter === null ? { name } : { name, parameter };
}

const MAX_NOTS = 8;

/** `when:` maps pointers to required values. */
export function readConditions(value: JsonValue | undefined, pointer: string, inspector: Inspector): readonly Condition[] {
  const map = inspector.map(value, pointer);
  if (map === undefined) return [];
  return Object.entries(map).flatMap(([key, wanted]) => {
    const place = childPointer(pointer, key);
    if (parsePointer(key) === undefined) {
      inspector.error(place, `${JSON.stringify(key.slice(0, 80))} is not a JSON Pointer.`, "Begin with a slash: /tool_input/command.");
      return [];
    }
    const test = readTest(wanted ?? null, place, inspector);
    return test === undefined ? [] : [{ pointer: key, test }];
  });
}

/** A plain value must be equal; an object whose only key is an operator is a test. */
function readTest(value: JsonValue, pointer: string, inspector: Inspector, nots = 0): ConditionTest | undefined {
  const [operator, ...more] = isObject(value) ? Object.keys(value) : [];
  if (!isObject(value) || operator === undefined || more.length > 0) return { is: "equal", to: value };
  const operand = value[operator] ?? null;
  const place = childPointer(pointer, operator);
  switch (operator) {
    case "in":
      if (isList(operand)) return { is: "in", list: operand };
      inspector.error(place, "`in` takes a list.", "in: [a, b]");
      return undefined;
    case "exists":
      if (typeof operand === "boolean") return { is: "exists", wanted: operand };
      inspector.error(place, "`exists` takes true or false.", "exists: true");
      return undefined;
    case "matches":
      if (typeof operand === "string" && createPattern(operand) !== undefined) return { is: "matches", pattern: operand };
      inspector.error(
        place,
        "This pattern is not read here.",
        "Characters, classes, groups, |, ^, $ and quantifiers are; no look-around, no back-references.",
      );
      return undefined;
    case "starts_with":
      if (typeof operand === "string") return { is: "starting", prefix: operand };
      inspector.error(place, "`starts_with` takes a text.", "starts_with: mcp__");
      return undefined;
    case "not": {
      const test = nots < MAX_NOTS ? readTest(operand, place, inspector, nots + 1) : undefined;
      return test === undefined ? undefined : { is: "not", test };
    }
    default:
      return { is: "equal", to: value };
  }
}
