import type { ReactNode } from "react";
import { clock, exact } from "../words/times.ts";

/** A time in short form, with the exact time as a tooltip. */
export function Moment({ at }: { readonly at: number | string }): ReactNode {
  return (
    <time dateTime={new Date(at).toISOString()} title={exact(at)}>
      {clock(at)}
    </time>
  );
}
