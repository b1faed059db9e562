import { formatCount } from "@earshot/narrate";
import type { ReactNode } from "react";
import type { SteadyList } from "./use-steady-list.ts";

export interface HeldBackProps {
  readonly list: Pick<SteadyList<unknown>, "waiting" | "show">;
  /** Singular name of the held-back items: "new session". */
  readonly what: string;
}

/** Shows the number of new items held back from a list that is in use, with a button that shows them at once. */
export function HeldBack({ list: { waiting, show }, what }: HeldBackProps): ReactNode {
  if (waiting === 0) return null;
  const words = formatCount(waiting, what);
  return (
    <p className="held-back">
      <span>{`${words}, shown when you leave this list.`}</span>
      <button type="button" className="button small" aria-label={`Show now: ${words}`} onClick={show}>
        Show now
      </button>
    </p>
  );
}
