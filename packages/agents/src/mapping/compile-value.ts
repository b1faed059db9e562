import type { JsonValue } from "@earshot/protocol/json";
import { toIso } from "./coerce.ts";
import { createConditions } from "./compile-condition.ts";
import type { ValueRule } from "./mapping.ts";
import { createLook } from "./pointer.ts";
import { type Scope, warn } from "./scope.ts";
import { type Apply, TRANSFORMS } from "./transforms.ts";

/** Undefined: there is no value, and the field is left out. */
export type Value = (scope: Scope) => JsonValue | undefined;

/** For messages: which entry, which field. */
export interface Named {
  readonly entry: string;
  readonly field: string;
}

/** The first rule that gives a value. */
export function createValue(rules: readonly ValueRule[], named: Named): Value {
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

function createRule(rule: ValueRule, named: Named): Value {
  const given = createGiven(rule, named);
  const holds = createConditions(rule.when ?? []);
  return holds === undefined ? given : (scope) => (holds(scope.at) ? given(scope) : undefined);
}

function createGiven(rule: ValueRule, named: Named): Value {
  const { value } = rule;
  if (value !== undefined) return () => value;
  const find = rule.concat === undefined ? createFirst(rule.sources ?? []) : createConcat(rule.concat);
  const change = createChange(rule, named);
  const found: Value =
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

type Change = (value: JsonValue, scope: Scope) => JsonValue | undefined;

function createChange({ transforms = [], map }: ValueRule, named: Named): Change | undefined {
  const steps = transforms.map(({ name, parameter }) => ({ name, apply: TRANSFORMS[name]?.create(parameter) ?? refuse }));
  if (steps.length === 0 && map === undefined) return undefined;
  return (raw, scope) => {
    let value = raw;
    for (const { name, apply } of steps) {
      const next = apply(value, scope.cuts);
      if (next === undefined || next === null) {
        warn(scope, { ...named, message: `\`${name}\` makes nothing of what is there.` });
        return undefined;
      }
      value = next;
    }
    return map === undefined ? value : lookUp(map, value, scope, named);
  };
}

const refuse: Apply = () => undefined;

function lookUp(map: Readonly<Record<string, JsonValue>>, value: JsonValue, scope: Scope, named: Named): JsonValue | undefined {
  const key = typeof value === "object" ? undefined : String(value);
  if (key !== undefined && Object.hasOwn(map, key)) return map[key];
  if (Object.hasOwn(map, "*")) return map["*"];
  warn(scope, { ...named, message: `${JSON.stringify(key?.slice(0, 60) ?? "a list or object")} is not in the map.` });
  return undefined;
}

function createFirst(sources: readonly string[]): Value {
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

/** All parts as text, with a colon between them. */
function createConcat(sources: readonly string[]): Value {
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

/** What a source is written as, besides a pointer. */
export const OTHER_SOURCE = /^(?:env:[A-Za-z_][A-Za-z0-9_]{0,63}|arg:\d{1,2}|meta:(?:received_at|hook))$/;

export function createSource(text: string): Value {
  if (!OTHER_SOURCE.test(text)) {
    const look = createLook(text);
    return (scope) => look(scope.at);
  }
  const [kind = "", name = ""] = text.split(":", 2);
  if (kind === "env") return ({ env }) => (Object.hasOwn(env, name) ? env[name] : undefined);
  if (kind === "arg") return ({ args }) => args[Number(name)];
  return name === "hook" ? ({ hook }) => hook : ({ now }) => toIso(now);
}
