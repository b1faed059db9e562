import type { Condition, Mapping } from "../mapping/mapping.ts";

type Path = readonly (string | number)[];

/** Whether a member of a payload has a part in which events it becomes: by naming the hook, or by a condition on it. */
export function decides({ eventName, hookSigns, unwrap, entries, fallback }: Mapping, leaf: Path): boolean {
  const conditions: readonly Condition[] = [...hookSigns, ...entries, ...(fallback === undefined ? [] : [fallback])].flatMap(
    ({ when }) => when,
  );
  const pointers = [...eventName, ...unwrap, ...conditions.map(({ pointer }) => pointer)].filter((one) => one.startsWith("/"));
  const wrapped = unwrap.flatMap((outer) => pointers.map((pointer) => outer + pointer));
  return [...pointers, ...wrapped].some((pointer) => touches(pointer.split("/").slice(1), leaf));
}

/** One is in the other. */
function touches(pointer: Path, leaf: Path): boolean {
  const shorter = Math.min(pointer.length, leaf.length);
  return pointer.slice(0, shorter).every((step, index) => String(step) === String(leaf[index]));
}
