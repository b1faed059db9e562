import { type RefObject, useCallback, useEffect, useReducer, useRef } from "react";

/** A pointer that has not moved for this long is idle and not about to press anything. */
export const POINTER_IDLE_MS = 4000;

export interface SteadyOptions {
  /** How long a motionless pointer holds the list. By default, as long as it is there. */
  readonly restsMs?: number;
  /** False until the items of a new filter were read. They replace those of the old one at once, even under the pointer. */
  readonly isRead?: boolean;
}

export interface SteadyList<Item> {
  readonly shown: readonly Item[];
  /** Number of items held back. */
  readonly waiting: number;
  /** Shows them anyway and moves to the start of the list. */
  readonly show: () => void;
}

/**
 * A list that does not move under a pointer or the focus. While the list contains a pointer or a visible focus, all items keep their
 * places: new items wait, removed items stay in their last state, and changed items update in place. Without either, the list is current.
 */
export function useSteadyList<Item>(
  region: RefObject<HTMLElement | null>,
  items: readonly Item[],
  keyOf: (item: Item) => string | number,
  { restsMs, isRead = true }: SteadyOptions = {},
): SteadyList<Item> {
  const shown = useRef<readonly Item[]>(items);
  const isHeld = useRef(false);
  const isWanted = useRef(false);
  const wasRead = useRef(isRead);
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
    // The pressed button is about to be removed.
    if (region.current !== null) region.current.tabIndex = -1;
    region.current?.focus();
  }, [region]);

  const isSameList = isRead && wasRead.current;
  wasRead.current = isRead;
  const next = isHeld.current && isSameList && !isWanted.current ? mergeItems(shown.current, items, keyOf) : items;
  isWanted.current = false;
  shown.current = next;
  const known = new Set(next.map(keyOf));
  return { shown: next, waiting: items.filter((item) => !known.has(keyOf(item))).length, show };
}

/** A focus set by an earlier click does not show attention; a keyboard focus does. */
function hasVisibleFocus(element: HTMLElement): boolean {
  return element.matches(":focus-visible") || element.querySelector(":focus-visible") !== null;
}

/** Returns the displayed items with their current data. */
export function mergeItems<Item>(shown: readonly Item[], items: readonly Item[], keyOf: (item: Item) => string | number): readonly Item[] {
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  return shown.map((item) => byKey.get(keyOf(item)) ?? item);
}
