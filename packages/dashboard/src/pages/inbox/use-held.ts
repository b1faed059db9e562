import { type RefObject, useEffect, useState } from "react";

/** In which card pointer and focus are: by its key, or `AFTER` in what follows the cards. */
export interface Held {
  readonly pointer: string | undefined;
  readonly focus: string | undefined;
}

export const AFTER = "after";
const NOWHERE: Held = { pointer: undefined, focus: undefined };

/** Cards are marked by `data-card`, what follows them by `data-after`. */
export function useHeld(region: RefObject<HTMLElement | null>): Held {
  const [held, setHeld] = useState(NOWHERE);

  useEffect(() => {
    const element = region.current;
    if (element === null) return;
    const become = (what: keyof Held, target: EventTarget | null) => {
      const place = placeOf(element, target);
      setHeld((before) => (before[what] === place ? before : { ...before, [what]: place }));
    };
    const over = ({ target }: PointerEvent) => become("pointer", target);
    const leave = () => become("pointer", null);
    const focus = ({ target }: FocusEvent) => become("focus", target);
    const blur = () => setTimeout(() => become("focus", document.activeElement), 0); // the focus is nowhere while it moves
    element.addEventListener("pointerover", over);
    element.addEventListener("pointerleave", leave);
    element.addEventListener("focusin", focus);
    element.addEventListener("focusout", blur);
    return () => {
      element.removeEventListener("pointerover", over);
      element.removeEventListener("pointerleave", leave);
      element.removeEventListener("focusin", focus);
      element.removeEventListener("focusout", blur);
    };
  }, [region]);

  return held;
}

/** Where what follows the cards stands beside them, as the style sheet says. */
const BESIDE = "(min-width: 64rem)";

/** Undefined outside of the region, and where cards that come or go move nothing: before them, and beside them. */
function placeOf(region: HTMLElement, target: EventTarget | null): string | undefined {
  if (!(target instanceof Element) || !region.contains(target)) return undefined;
  if (target.closest("[data-after]") !== null) return matchMedia(BESIDE).matches ? undefined : AFTER;
  const card = target.closest("[data-card]");
  return card instanceof HTMLElement ? card.dataset["card"] : undefined;
}
