import { formatNumber } from "@earshot/narrate";
import { type ReactNode, useState } from "react";

export interface LongTextProps {
  readonly text: string;
  readonly most: number;
  readonly children: (text: string) => ReactNode;
}

/** The beginning of a long text, and a button that shows the rest. */
export function LongText({ text, most, children }: LongTextProps): ReactNode {
  const [isWhole, setWhole] = useState(false);
  // A little extra text does not justify a button.
  const isShort = text.length <= most * 1.25 && endOfLines(text, MAX_LINES * 1.25) === text.length;
  const fits = isWhole || isShort;
  return (
    <>
      {children(fits ? text : beginningOf(text, most))}
      {isShort ? null : (
        <button type="button" className="small-button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show less" : `Show all ${formatNumber(text.length)} characters`}
        </button>
      )}
    </>
  );
}

/** Longer texts exceed one screen and are opened on request. */
const MAX_LINES = 40;

/** Cuts at a line end if one is near, and never within a surrogate pair. */
function beginningOf(text: string, most: number): string {
  const start = text.slice(0, Math.min(most, endOfLines(text, MAX_LINES)));
  const line = start.lastIndexOf("\n");
  return `${(line > start.length / 2 ? start.slice(0, line) : start).replace(/[\ud800-\udbff]$/, "")} …`;
}

/** Returns the end of this many lines, or the end of a text with fewer. */
function endOfLines(text: string, lines: number): number {
  let end = -1;
  for (let line = 0; line < lines; line++) {
    end = text.indexOf("\n", end + 1);
    if (end < 0) return text.length;
  }
  return end;
}
