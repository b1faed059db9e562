import { useEffect, useRef } from "react";

/** Does something again and again, for as long as somebody can see the page. For what the hub tells nobody live. */
export function useEvery(pauseMs: number, act: () => void): void {
  const last = useRef(act);
  last.current = act;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) last.current();
    }, pauseMs);
    return () => clearInterval(timer);
  }, [pauseMs]);
}
