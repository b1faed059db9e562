import { type RefObject, useCallback, useEffect, useReducer, useRef } from "react";

/** A pointer that has not moved for so long is not about to press anything: somebody left it lying there. */
export const RESTS_MS = 4000;

export interface SteadyOptions {
  /** For how long a pointer that does not move holds everything back. Without it, for as long as it is there. */
  readonly restsMs?: number;
}

export interface Steady<Item> {
  readonly shown: readonly Item[];
  /** How many are held back. */
  readonly waiting: number;
  /** Shows them all the same, and leads to the beginning of the list. */
  readonly show: () => void;
}

/**
 * A list that does not move under a pointer or the focus. While a pointer is in it, or the focus is seen in it, everything stays at
 * its place: what is new waits, what is gone stays as it was last, and what changed changes in place. When neither is there any more,
 * it is as it should be.
 */
export function useSteady<Item>(
  region: RefObject<HTMLElement | null>,
  items: readonly Item[],
  keyOf: (item: Item) => string | number,
  { restsMs }: SteadyOptions = {},
): Steady<Item> {
  const shown = useRef<readonly Item[]>(items);
  const isHeld = useRef(false);
  const isWanted = useRef(false);
  const [, draw] = useReducer((count: number) => count + 1, 0);

  useEffect(() => {
    const element = region.current;
    if (element === null) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      const held = isOver || hasVisibleFocus(element);
      if (held === isHeld.current) return;
      isHeld.current = held;
      if (!held) draw();
    };
    const leave = () => {
      clearTimeout(timer);
      isOver = false;
      look();
    };
    const move = () => {
      clearTimeout(timer);
      if (restsMs !== undefined) timer = setTimeout(leave, restsMs);
      isOver = true;
      look();
    };
    const later = () => setTimeout(look, 0); // the focus is nowhere while it moves
    const listeners = [
      ["pointerenter", move],
      ["pointermove", move],
      ["pointerdown", move],
      ["pointerleave", leave],
      ["focusin", look],
      ["focusout", later],
      ["keydown", later],
    ] as const;
    for (const [type, listener] of listeners) element.addEventListener(type, listener, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const [type, listener] of listeners) element.removeEventListener(type, listener);
    };
  }, [region, restsMs]);

  const show = useCallback(() => {
    isWanted.current = true;
    draw();
    // What was pressed is about to go.
    if (region.current !== null) region.current.tabIndex = -1;
    region.current?.focus();
  }, [region]);

  const next = isHeld.current && !isWanted.current ? merge(shown.current, items, keyOf) : items;
  isWanted.current = false;
  shown.current = next;
  const known = new Set(next.map(keyOf));
  return { shown: next, waiting: items.filter((item) => !known.has(keyOf(item))).length, show };
}

/** Who clicked something long ago does not look at it any more; who came by keyboard is there. */
function hasVisibleFocus(element: HTMLElement): boolean {
  return element.matches(":focus-visible") || element.querySelector(":focus-visible") !== null;
}

/** What is shown, with what is known of it now. */
export function merge<Item>(shown: readonly Item[], items: readonly Item[], keyOf: (item: Item) => string | number): readonly Item[] {
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  return shown.map((item) => byKey.get(keyOf(item)) ?? item);
}
