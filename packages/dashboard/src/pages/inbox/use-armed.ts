import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/**
 * For this long after a card appears or gets the focus, it ignores decisions: the click or key may have been meant for something else.
 */
export const CARD_ARMING_MS = 500;

export interface Armed {
  readonly isArmed: boolean;
  /** Whether a decision is accepted now. */
  readonly mayDecide: () => boolean;
}

/**
 * The delay restarts when the card's content changes, when the focus enters it, and when its window comes to the front. A focus caused by
 * a pointer does not count: aiming at a button implies looking at it.
 */
export function useArmed(card: RefObject<HTMLElement | null>, content: string): Armed {
  const until = useRef(Number.POSITIVE_INFINITY); // until it is drawn
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [isArmed, setArmed] = useState(false);

  const begin = useCallback(() => {
    until.current = performance.now() + CARD_ARMING_MS;
    setArmed(false);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setArmed(true), CARD_ARMING_MS);
  }, []);

  // A layout effect, which runs before the card is visible and can be pressed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another content is another card
  useLayoutEffect(() => {
    begin();
    return () => clearTimeout(timer.current);
  }, [begin, content]);

  useEffect(() => {
    const element = card.current;
    if (element === null) return;
    let pressedAt = Number.NEGATIVE_INFINITY;
    const press = () => {
      pressedAt = performance.now();
    };
    const enter = ({ relatedTarget }: FocusEvent) => {
      const isFromHere = relatedTarget instanceof Node && element.contains(relatedTarget);
      // A touch sets the focus only when the finger is lifted.
      const isByPointer = performance.now() - pressedAt < CARD_ARMING_MS;
      if (!isFromHere && !isByPointer) begin();
    };
    const show = () => {
      if (document.visibilityState === "visible") begin();
    };
    element.addEventListener("pointerdown", press);
    element.addEventListener("pointerup", press);
    element.addEventListener("focusin", enter);
    addEventListener("focus", show);
    document.addEventListener("visibilitychange", show);
    return () => {
      element.removeEventListener("pointerdown", press);
      element.removeEventListener("pointerup", press);
      element.removeEventListener("focusin", enter);
      removeEventListener("focus", show);
      document.removeEventListener("visibilitychange", show);
    };
  }, [card, begin]);

  return { isArmed, mayDecide: () => performance.now() >= until.current };
}
