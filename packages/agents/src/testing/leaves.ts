import { isObject, type JsonValue } from "@earshot/protocol/json";
import { isList } from "../mapping/json-values.ts";
import type { Condition, Mapping } from "../mapping/mapping.ts";

/** The path of every member of a value, including objects and lists. */
export function leafPathsOf(value: JsonValue, path: readonly (string | number)[] = []): readonly (readonly (string | number)[])[] {
  if (isList(value)) return value.flatMap((item, index) => [[...path, index], ...leafPathsOf(item, [...path, index])]);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[...path, key], ...leafPathsOf(inner ?? null, [...path, key])]);
}

/** The value with one member replaced or removed. */
export function replaceMember(value: JsonValue, [first, ...rest]: readonly (string | number)[], instead: JsonValue | undefined): JsonValue {
  if (first === undefined) return instead ?? null;
  if (isList(value)) {
    const items = value.map((item, index) => (index === first ? (rest.length === 0 ? instead : replaceMember(item, rest, instead)) : item));
    return items.filter((item) => item !== undefined);
  }
  if (!isObject(value)) return value;
  const copy: Record<string, JsonValue | undefined> = { ...value };
  const inner = copy[first];
  if (rest.length > 0 && inner !== undefined) copy[first] = replaceMember(inner, rest, instead);
  else if (instead === undefined) delete copy[first];
  else copy[first] = instead;
  return copy;
}

type Path = readonly (string | number)[];

/** Whether a payload member determines the resulting events: it names the hook or appears in a condition. */
export function decidesEvents({ eventName, hookSigns, unwrap, entries, fallback }: Mapping, leaf: Path): boolean {
  const conditions: readonly Condition[] = [...hookSigns, ...entries, ...(fallback === undefined ? [] : [fallback])].flatMap(
    ({ when }) => when,
  );
  const pointers = [...eventName, ...unwrap, ...conditions.map(({ pointer }) => pointer)].filter((one) => one.startsWith("/"));
  const wrapped = unwrap.flatMap((outer) => pointers.map((pointer) => outer + pointer));
  return [...pointers, ...wrapped].some((pointer) => touches(pointer.split("/").slice(1), leaf));
}

/** Whether one path contains the other. */
function touches(pointer: Path, leaf: Path): boolean {
  const shorter = Math.min(pointer.length, leaf.length);
  return pointer.slice(0, shorter).every((step, index) => String(step) === String(leaf[index]));
}
