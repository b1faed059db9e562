import { type ReactNode, useEffect, useRef } from "react";
import { focusHeading } from "../parts/focus-heading.ts";

/** A heading that takes the focus in the moment in which it is drawn is not known to a screen reader yet, and is passed over. */
const KNOWN_MS = 150;

/**
 * Who follows a link hears where it led, once that is drawn. When the dashboard is opened too, unless the focus is somewhere already:
 * a screen reader may have begun before there was anything to read.
 */
export function FocusTitle({ place }: { readonly place: string }): ReactNode {
  const isOpening = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is what changes
  useEffect(() => {
    const isFirst = isOpening.current;
    isOpening.current = false;
    const from = document.activeElement;
    const main = document.getElementById("main");
    if (main === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const focusTitle = () => {
      const { activeElement: now } = document;
      // Who has gone on meanwhile stays there.
      if (now !== null && now !== document.body && (isFirst || now !== from)) return;
      focusHeading(main.querySelector<HTMLElement>("h1"), { preventScroll: isFirst });
    };
    const look = () => {
      if (main.querySelector("h1") === null) return;
      watch.disconnect();
      timer = setTimeout(focusTitle, KNOWN_MS);
    };
    const watch = new MutationObserver(look);
    watch.observe(main, { childList: true, subtree: true });
    look();
    return () => {
      watch.disconnect();
      clearTimeout(timer);
    };
  }, [place]);
  return null;
}
