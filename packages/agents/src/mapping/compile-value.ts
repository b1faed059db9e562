import { isObject, type JsonValue } from "@earshot/protocol/json";
import { toIso } from "./coerce.ts";
import { createLook, isJsonEqual } from "./json-values.ts";
import type { Condition, ConditionTest, ValueRule } from "./mapping.ts";
import { createPattern } from "./pattern.ts";
import { type ApplyTransform, type ShorteningRecord, TRANSFORMS } from "./transforms.ts";

/** The input of the rules while one payload is mapped. */
export interface MappingScope {
  /** The payload, or the list element an attachment is made from. */
  at: JsonValue;
  readonly hook: string | undefined;
  readonly now: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly args: readonly string[];
  readonly warnings: MapWarning[];
  readonly cuts: ShorteningRecord;
}

/** A field that could not be filled as its rule says, or an event that had to be completed. */
export interface MapWarning {
  /** Id of the mapping entry. */
  readonly entry: string;
  readonly field: string;
  readonly message: string;
}

const MAX_WARNINGS = 100;

export function addWarning(scope: MappingScope, warning: MapWarning): void {
  if (scope.warnings.length < MAX_WARNINGS) scope.warnings.push(warning);
}

/** Undefined: no value, and the field is left out. */
export type ReadValue = (scope: MappingScope) => JsonValue | undefined;

/** Entry and field, for messages. */
interface Named {
  readonly entry: string;
  readonly field: string;
}

export function createValue(rules: readonly ValueRule[], named: Named): ReadValue {
  const [first, ...more] = rules.map((rule) => createRule(rule, named));
  if (first === undefined) return () => undefined;
  if (more.length === 0) return first;
  return (scope) => {
    const value = first(scope);
    if (value !== undefined) return value;
    for (const next of more) {
      const other = next(scope);
      if (other !== undefined) return other;
    }
    return undefined;
  };
}

function createRule(rule: ValueRule, named: Named): ReadValue {
  const given = createGiven(rule, named);
  const holds = createConditions(rule.when ?? []);
  return holds === undefined ? given : (scope) => (holds(scope.at) ? given(scope) : undefined);
}

function createGiven(rule: ValueRule, named: Named): ReadValue {
  const { value } = rule;
  if (value !== undefined) return () => value;
  const find = rule.concat === undefined ? createFirst(rule.sources ?? []) : createConcat(rule.concat);
  const change = createChange(rule, named);
  const found: ReadValue =
    change === undefined
      ? find
      : (scope) => {
          const raw = find(scope);
          return raw === undefined ? undefined : change(raw, scope);
        };
  const { default: byDefault } = rule;
  if (byDefault === undefined) return found;
  return (scope) => (find(scope) === undefined ? byDefault : found(scope));
}

type Change = (value: JsonValue, scope: MappingScope) => JsonValue | undefined;

function createChange({ transforms = [], map }: ValueRule, named: Named): Change | undefined {
  const steps = transforms.map(({ name, parameter }) => ({ name, apply: TRANSFORMS[name]?.create(parameter) ?? refuse }));
  if (steps.length === 0 && map === undefined) return undefined;
  return (raw, scope) => {
    let value = raw;
    for (const { name, apply } of steps) {
      const next = apply(value, scope.cuts);
      if (next === undefined || next === null) {
        addWarning(scope, { ...named, message: `\`${name}\` makes nothing of what is there.` });
        return undefined;
      }
      value = next;
    }
    return map === undefined ? value : lookUp(map, value, scope, named);
  };
}

const refuse: ApplyTransform = () => undefined;

function lookUp(map: Readonly<Record<string, JsonValue>>, value: JsonValue, scope: MappingScope, named: Named): JsonValue | undefined {
  const key = typeof value === "object" ? undefined : String(value);
  if (key !== undefined && Object.hasOwn(map, key)) return map[key];
  if (Object.hasOwn(map, "*")) return map["*"];
  addWarning(scope, { ...named, message: `${JSON.stringify(key?.slice(0, 60) ?? "a list or object")} is not in the map.` });
  return undefined;
}

function createFirst(sources: readonly string[]): ReadValue {
  const [first, ...more] = sources.map(createSource);
  if (first === undefined) return () => undefined;
  if (more.length === 0) return (scope) => first(scope) ?? undefined;
  return (scope) => {
    const value = first(scope) ?? undefined;
    if (value !== undefined) return value;
    for (const next of more) {
      const other = next(scope) ?? undefined;
      if (other !== undefined) return other;
    }
    return undefined;
  };
}

/** Joins all parts as text with a colon. */
function createConcat(sources: readonly string[]): ReadValue {
  const parts = sources.map(createSource);
  return (scope) => {
    const texts: string[] = [];
    for (const part of parts) {
      const value = part(scope);
      if (typeof value === "object" || value === undefined) return undefined;
      texts.push(String(value));
    }
    return texts.join(":");
  };
}

/** Sources other than a pointer. */
export const OTHER_SOURCE = /^(?:env:[A-Za-z_][A-Za-z0-9_]{0,63}|arg:\d{1,2}|meta:(?:received_at|hook))$/;

export function createSource(text: string): ReadValue {
  if (!OTHER_SOURCE.test(text)) {
    const look = createLook(text);
    return (scope) => look(scope.at);
  }
  const [kind = "", name = ""] = text.split(":", 2);
  if (kind === "env") return ({ env }) => (Object.hasOwn(env, name) ? env[name] : undefined);
  if (kind === "arg") return ({ args }) => args[Number(name)];
  return name === "hook" ? ({ hook }) => hook : ({ now }) => toIso(now);
}

export type ValueTest = (value: JsonValue) => boolean;

/** Combines the conditions; undefined when there are none. */
export function createConditions(conditions: readonly Condition[]): ValueTest | undefined {
  const [first, ...more] = conditions.map(createCondition);
  if (first === undefined || more.length === 0) return first;
  return (value) => first(value) && more.every((holds) => holds(value));
}

function createCondition({ pointer, test }: Condition): ValueTest {
  const look = createLook(pointer);
  const passes = createTest(test);
  return (value) => passes(look(value));
}

/** A missing value equals nothing, not even null. */
function createTest(test: ConditionTest): (found: JsonValue | undefined) => boolean {
  switch (test.is) {
    case "equal": {
      const { to } = test;
      return isObject(to) || Array.isArray(to) ? (found) => isJsonEqual(found, to) : (found) => found === to;
    }
    case "in":
      return (found) => found !== undefined && test.list.some((item) => isJsonEqual(found, item));
    case "exists":
      // Agents write null for unknown values, so null counts as missing.
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
