import { isObject, type JsonValue } from "@earshot/protocol/json";
import { child, type Inspector } from "../text/inspector.ts";
import type { Condition, Test } from "./mapping.ts";
import { createPattern } from "./pattern.ts";
import { parsePointer } from "./pointer.ts";
import { isList } from "./value.ts";

const MOST_NOTS = 8;

/** `when:` a map from pointers to what must stand there. */
export function readConditions(value: JsonValue | undefined, pointer: string, inspector: Inspector): readonly Condition[] {
  const map = inspector.map(value, pointer);
  if (map === undefined) return [];
  return Object.entries(map).flatMap(([key, wanted]) => {
    const place = child(pointer, key);
    if (parsePointer(key) === undefined) {
      inspector.error(place, `${JSON.stringify(key.slice(0, 80))} is not a JSON Pointer.`, "Begin with a slash: /tool_input/command.");
      return [];
    }
    const test = readTest(wanted ?? null, place, inspector);
    return test === undefined ? [] : [{ pointer: key, test }];
  });
}

/** A plain value must be equal; an object with one of the operators as its only key is a test of its own. */
function readTest(value: JsonValue, pointer: string, inspector: Inspector, nots = 0): Test | undefined {
  const [operator, ...more] = isObject(value) ? Object.keys(value) : [];
  if (!isObject(value) || operator === undefined || more.length > 0) return { is: "equal", to: value };
  const operand = value[operator] ?? null;
  const place = child(pointer, operator);
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
      const test = nots < MOST_NOTS ? readTest(operand, place, inspector, nots + 1) : undefined;
      return test === undefined ? undefined : { is: "not", test };
    }
    default:
      return { is: "equal", to: value };
  }
}
