import { useEffect } from "react";
import { ask } from "./ask.ts";
import { useMayDecide } from "./use-hub.ts";

const TELL_EVERY_MS = 60_000;
const DEEDS = ["pointerdown", "pointermove", "keydown", "wheel", "focusin"] as const;

/**
 * Tells the hub that a person who may decide is here, so that agents are held for somebody. By what the person does, at most once a
 * minute: an open tab proves nothing.
 */
export function usePresence(): void {
  const mayDecide = useMayDecide();
  useEffect(() => {
    if (!mayDecide) return;
    let toldAt = Number.NEGATIVE_INFINITY;
    const tell = () => {
      if (performance.now() - toldAt < TELL_EVERY_MS) return;
      toldAt = performance.now();
      ask("POST", "/api/presence", {}).catch(() => {
        toldAt = Number.NEGATIVE_INFINITY; // away: the next deed tells
      });
    };
    const act = ({ isTrusted }: Event) => {
      if (isTrusted) tell();
    };
    // Whoever has just opened the page, and looks at it, did something.
    if (document.visibilityState === "visible" && document.hasFocus()) tell();
    for (const deed of DEEDS) addEventListener(deed, act, { capture: true, passive: true });
    return () => {
      for (const deed of DEEDS) removeEventListener(deed, act, { capture: true });
    };
  }, [mayDecide]);
}
