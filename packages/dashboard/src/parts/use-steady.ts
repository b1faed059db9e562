import { type RefObject, useEffect, useReducer, useRef } from "react";

/**
 * A list that does not move under a pointer or the focus. While either is in it, everything stays at its place: what is new waits, what is
 * gone stays as it was last, and what changed changes in place. When both have left, it is as it should be.
 */
export function useSteady<Item>(
  region: RefObject<HTMLElement | null>,
  items: readonly Item[],
  keyOf: (item: Item) => string | number,
): { readonly shown: readonly Item[]; readonly waiting: number } {
  const shown = useRef<readonly Item[]>(items);
  const isHeld = useRef(false);
  const [, draw] = useReducer((count: number) => count + 1, 0);

  useEffect(() => {
    const element = region.current;
    if (element === null) return;
    let isOver = false;
    const look = () => {
      const held = isOver || element.contains(document.activeElement);
      if (held === isHeld.current) return;
      isHeld.current = held;
      if (!held) draw();
    };
    const enter = () => {
      isOver = true;
      look();
    };
    const leave = () => {
      isOver = false;
      look();
    };
    const later = () => queueMicrotask(look); // the focus is nowhere while it moves
    element.addEventListener("pointerenter", enter);
    element.addEventListener("pointerleave", leave);
    element.addEventListener("focusin", look);
    element.addEventListener("focusout", later);
    return () => {
      element.removeEventListener("pointerenter", enter);
      element.removeEventListener("pointerleave", leave);
      element.removeEventListener("focusin", look);
      element.removeEventListener("focusout", later);
    };
  }, [region]);

  const next = isHeld.current ? merge(shown.current, items, keyOf) : items;
  shown.current = next;
  const known = new Set(next.map(keyOf));
  return { shown: next, waiting: items.filter((item) => !known.has(keyOf(item))).length };
}

/** What is shown, with what is known of it now. */
export function merge<Item>(shown: readonly Item[], items: readonly Item[], keyOf: (item: Item) => string | number): readonly Item[] {
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  return shown.map((item) => byKey.get(keyOf(item)) ?? item);
}
