import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLiveState } from "../hub/use-hub.ts";
import { Moment } from "../parts/moment.tsx";

const NOTICES = {
  connecting: "Connecting to the hub.",
  away: "The hub is not connected. This page shows the last received state and updates when the hub is back.",
  forbidden: "This browser is not admitted any more. Reload the page to ask again.",
} as const;

/** Reports a lost connection to the hub and, after reconnecting, that nothing was missed. Overlays the page, which does not move. */
export function StandingNotice(): ReactNode {
  const state = useLiveState();
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

  if (state !== "live")
    return (
      <aside className="notice over" aria-label="The hub">
        <p>{NOTICES[state]}</p>
      </aside>
    );
  if (absence === undefined) return null;
  return (
    <aside className="notice over" aria-label="The hub">
      <p>
        The hub is back. It was away from <Moment at={absence.from} /> to <Moment at={absence.to} />; nothing was missed.
      </p>
      <button type="button" className="button" onClick={() => setAbsence(undefined)}>
        Hide this
      </button>
    </aside>
  );
}
