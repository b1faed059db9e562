import { isObject, type JsonValue } from "@earshot/protocol/json";
import type { Condition, Test } from "./mapping.ts";
import { createPattern } from "./pattern.ts";
import { createLook } from "./pointer.ts";
import { isEqual } from "./value.ts";

export type Holds = (value: JsonValue) => boolean;

/** All of the conditions together; undefined when there are none. */
export function createConditions(conditions: readonly Condition[]): Holds | undefined {
  const [first, ...more] = conditions.map(createCondition);
  if (first === undefined || more.length === 0) return first;
  return (value) => first(value) && more.every((holds) => holds(value));
}

function createCondition({ pointer, test }: Condition): Holds {
  const look = createLook(pointer);
  const passes = createTest(test);
  return (value) => passes(look(value));
}

/** What is not there is equal to nothing, not even to null. */
function createTest(test: Test): (found: JsonValue | undefined) => boolean {
  switch (test.is) {
    case "equal": {
      const { to } = test;
      return isObject(to) || Array.isArray(to) ? (found) => isEqual(found, to) : (found) => found === to;
    }
    case "in":
      return (found) => found !== undefined && test.list.some((item) => isEqual(found, item));
    case "exists":
      // Agents write null for what they do not know: it is not there.
      return (found) => (found !== undefined && found !== null) === test.wanted;
    case "matches": {
      const pattern = createPattern(test.pattern);
      return (found) => typeof found === "string" && pattern?.(found) === true;
    }
    case "starting":
      return (found) => typeof found === "string" && found.startsWith(test.prefix);
    case "not": {
      const passes = createTest(test.test);
      return (found) => !passes(found);
    }
  }
}
