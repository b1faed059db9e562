import { isObject, type JsonObject } from "@earshot/protocol/json";
import { type CompiledEntry, compileEntry } from "./compile-entry.ts";
import { createConditions, createSource, type MappingScope } from "./compile-value.ts";
import { createLook } from "./json-values.ts";
import type { IgnoredHook, Mapping, MappingEntry } from "./mapping.ts";

/** A compiled mapping. Entries are compiled when their hook first occurs. */
export interface CompiledMapping {
  readonly mapping: Mapping;
  /** The hook's name from the payload, or derived from its shape. */
  readonly hookIn: (scope: MappingScope) => string | undefined;
  /** The part of the payload that pointers refer to. */
  readonly unwrap: (payload: JsonObject) => JsonObject;
  /** The hook as the file spells it; undefined for an unknown hook. */
  readonly resolveHook: (name: string) => string | undefined;
  readonly entriesOf: (hook: string | undefined) => readonly CompiledEntry[];
  readonly fallback: () => CompiledEntry | undefined;
  readonly ignored: ReadonlyMap<string, IgnoredHook>;
}

export function compileMapping(mapping: Mapping): CompiledMapping {
  const { entries, ignored, fallback } = mapping;
  const compiled = new Map<MappingEntry, CompiledEntry>();
  const compileOnce = (entry: MappingEntry) => {
    const known = compiled.get(entry) ?? compileEntry(entry);
    compiled.set(entry, known);
    return known;
  };
  const byHook = new Map<string | undefined, readonly CompiledEntry[]>();
  const names = new Set([...entries.flatMap(({ hooks }) => hooks), ...ignored.map(({ hook }) => hook)]);
  const spellings = new Map([...names].map((name) => [plainName(name), name]));
  return {
    mapping,
    hookIn: createHookIn(mapping),
    unwrap: createUnwrap(mapping),
    resolveHook: (name) => (names.has(name) ? name : spellings.get(plainName(name))),
    entriesOf: (hook) => {
      const known = byHook.get(hook);
      if (known !== undefined) return known;
      const found = entries.filter(({ hooks }) => hooks.length === 0 || (hook !== undefined && hooks.includes(hook))).map(compileOnce);
      // Only hooks of the file are cached: callers choose other names, so the cache would grow without bound.
      if (hook === undefined || names.has(hook)) byHook.set(hook, found);
      return found;
    },
    fallback: () => (fallback === undefined ? undefined : compileOnce(fallback)),
    ignored: new Map(ignored.map((one) => [one.hook, one])),
  };
}

/** The payload's own name takes precedence over the name passed beside it, and that over the payload's shape. */
function createHookIn({ eventName, hookSigns }: Mapping): (scope: MappingScope) => string | undefined {
  const sources = eventName.map(createSource);
  const signs = hookSigns.map(({ hook, when }) => ({ hook, holds: createConditions(when) }));
  return (scope) => {
    for (const source of sources) {
      const name = source(scope);
      if (typeof name === "string" && name !== "") return name;
    }
    return scope.hook ?? signs.find(({ holds }) => holds?.(scope.at) !== false)?.hook;
  };
}

function createUnwrap({ unwrap }: Mapping): (payload: JsonObject) => JsonObject {
  const looks = unwrap.map(createLook);
  if (looks.length === 0) return (payload) => payload;
  return (payload) => looks.map((look) => look(payload)).find(isObject) ?? payload;
}

/** Spellings differ between agent versions: `preToolUse`, `PreToolUse`, `pre_tool_use`. */
export function plainName(name: string): string {
  return name
    .slice(0, 200)
    .replaceAll(/[_\-.: ]/g, "")
    .toLowerCase();
}
