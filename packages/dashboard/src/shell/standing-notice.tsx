import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLiveState } from "../hub/use-hub.ts";
import { ShortTime } from "../parts/moment.tsx";

const NOTICES = {
  connecting: "Connecting to the hub.",
  away: "The hub is not connected. This page shows the last received state and updates when the hub is back.",
  databaseAway: "The hub cannot reach its database and stores nothing until it can. Hooks are decided by the accepted rules meanwhile.",
  forbidden: "This browser is no longer paired. Reload the page to pair it again.",
} as const;

const READY_POLL_MS = 5000;

/** Whether the hub reaches the database of its ledger. A hub that does not answer at all is another state. */
function useDatabase(isConnected: boolean): boolean {
  const [isReached, setIsReached] = useState(true);
  useEffect(() => {
    if (!isConnected) return;
    const look = () =>
      fetch("/ready").then(
        ({ status }) => setIsReached(status !== 503),
        () => {}, // the live connection reports it
      );
    const timer = setInterval(look, READY_POLL_MS);
    return () => clearInterval(timer);
  }, [isConnected]);
  return isReached || !isConnected;
}

/** Reports a lost connection to the hub and, after reconnecting, that nothing was missed. Overlays the page, which does not move. */
export function StandingNotice(): ReactNode {
  const state = useLiveState();
  const reachesDatabase = useDatabase(state === "live");
  const leftAt = useRef<number>(undefined);
  const [absence, setAbsence] = useState<{ readonly from: number; readonly to: number }>();

  useEffect(() => {
    if (state === "away") {
      leftAt.current ??= Date.now();
      setAbsence(undefined);
    } else if (state === "live" && leftAt.current !== undefined) {
      setAbsence({ from: leftAt.current, to: Date.now() });
      leftAt.current = undefined;
    }
  }, [state]);

  if (state !== "live" || !reachesDatabase)
    return (
      <aside className="notice over" aria-label="The hub">
        <p>{NOTICES[state === "live" ? "databaseAway" : state]}</p>
      </aside>
    );
  if (absence === undefined) return null;
  return (
    <aside className="notice over" aria-label="The hub">
      <p>
        The hub is back. It was away from <ShortTime at={absence.from} /> to <ShortTime at={absence.to} />; nothing was missed.
      </p>
      <button type="button" className="button" onClick={() => setAbsence(undefined)}>
        Hide this
      </button>
    </aside>
  );
}
