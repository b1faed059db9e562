import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol/json";
import { compileMapping } from "./compile-mapping.ts";
import { isList } from "./json-values.ts";
import { mapPayload } from "./map-payload.ts";
import type { MappingFile } from "./read-mapping.ts";

/** An expectation that failed. */
export interface UnmetExpectation {
  readonly line: number;
  readonly message: string;
}

const SOME_TIME = Date.UTC(2026, 0, 1);

/** Runs the tests inside a mapping file. */
export function checkExpects({ mapping, expects }: MappingFile): readonly UnmetExpectation[] {
  const compiled = compileMapping(mapping);
  return expects.flatMap(({ payload, hook, emits, line }) => {
    let count = 0;
    const { events, nothing } = mapPayload(compiled, payload, { hook, now: SOME_TIME, ids: () => `evt_${++count}` });
    if (events.length !== emits.length) {
      const types = events.map(({ event }) => event.type).join(", ") || (nothing?.message ?? "none");
      return [{ line, message: `${emits.length} events are expected, and there are ${events.length}: ${types}` }];
    }
    return emits.flatMap((wanted, index) => {
      const difference = differs(wanted, events[index]?.event as unknown as JsonValue, "");
      return difference === undefined ? [] : [{ line, message: `Event ${index + 1}: ${difference}` }];
    });
  });
}

/** The first difference. A plain text stands for an event of that type. */
function differs(wanted: JsonValue, found: JsonValue | undefined, path: string): string | undefined {
  if (path === "" && typeof wanted === "string") return differs({ type: wanted }, found, path);
  if (isObject(wanted) && isObject(found)) {
    for (const key of Object.keys(wanted)) {
      const difference = differsAt(wanted, found, key, path);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (isList(wanted) && isList(found) && wanted.length === found.length) {
    for (const [index, item] of wanted.entries()) {
      const difference = differs(item, found[index], `${path}/${index}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  return wanted === found ? undefined : `${path === "" ? "it" : path} is ${show(found)}, and ${show(wanted)} is expected.`;
}

/** A null requires the member to be missing. */
function differsAt(wanted: JsonObject, found: JsonObject, key: string, path: string): string | undefined {
  const inner = wanted[key] ?? null;
  const there = Object.hasOwn(found, key) ? found[key] : undefined;
  if (inner === null) return there === undefined ? undefined : `${path}/${key} is ${show(there)}, and should not be there.`;
  return differs(inner, there, `${path}/${key}`);
}

function show(value: JsonValue | undefined): string {
  return value === undefined ? "missing" : JSON.stringify(value).slice(0, 200);
}
