import type { ReactNode } from "react";
import { formatClockTime, formatExactTime } from "../words/times.ts";

/** A time in short form, with the exact time as a tooltip. */
export function ShortTime({ at }: { readonly at: number | string }): ReactNode {
  return (
    <time dateTime={new Date(at).toISOString()} title={formatExactTime(at)}>
      {formatClockTime(at)}
    </time>
  );
}
