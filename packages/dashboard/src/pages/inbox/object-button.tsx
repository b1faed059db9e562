import type { ReactNode } from "react";

export interface ObjectButtonProps {
  readonly label: string;
  /** What it is about: part of its name, since a page has many of one label. */
  readonly what: string;
  readonly kind?: "primary" | "risky" | "quiet" | "small" | undefined;
  readonly isBusy?: boolean | undefined;
  /** Left out where it sends a form. */
  readonly onPress?: (() => void) | undefined;
}

/** A button whose name says what it does, and to what: "Deny: run git push". */
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
