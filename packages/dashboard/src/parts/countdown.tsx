import { formatShortDuration } from "@earshot/narrate";
import { type ReactNode, useEffect, useState } from "react";

const TICK_MS = 1000;

/** Returns the current time, updated at this interval. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** Time left to answer a request. Ticks are not announced: the announcer warns when time runs short. */
export function Countdown({ until }: { readonly until: string }): ReactNode {
  const leftMs = Math.max(0, Date.parse(until) - useNow(TICK_MS));
  return (
    <span className={leftMs < 60_000 ? "countdown short" : "countdown"} role="timer">
      {leftMs === 0 ? "time is up" : `${formatShortDuration(Math.ceil(leftMs / 1000) * 1000)} left`}
    </span>
  );
}
