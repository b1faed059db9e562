import type { ReactNode } from "react";

export interface ObjectButtonProps {
  readonly label: string;
  /** Short description of the object: part of the button's accessible name, since a page has many buttons with one label. */
  readonly what: string;
  readonly kind?: "primary" | "risky" | "quiet" | "small" | undefined;
  readonly isBusy?: boolean | undefined;
  /** Omitted for a button that submits a form. */
  readonly onPress?: (() => void) | undefined;
}

/** A button whose accessible name includes its object: "Deny: run git push". */
export function ObjectButton({ label, what, kind, isBusy, onPress }: ObjectButtonProps): ReactNode {
  return (
    <button
      type={onPress === undefined ? "submit" : "button"}
      className={kind === undefined ? "button" : `button ${kind}`}
      aria-label={`${label}: ${what}`}
      aria-disabled={isBusy}
      onClick={onPress}
    >
      {label}
    </button>
  );
}
