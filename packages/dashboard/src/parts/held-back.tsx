import { formatCount } from "@earshot/narrate";
import type { ReactNode } from "react";
import type { Steady } from "./use-steady.ts";

export interface HeldBackProps {
  readonly list: Pick<Steady<unknown>, "waiting" | "show">;
  /** What is held back, in the singular: "new session". */
  readonly what: string;
}

/** Says how much is new in a list that stands still for whoever is in it, and shows it to whoever does not want to wait. */
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
