import type { ReactNode } from "react";
import { clock, exact } from "../words/times.ts";

/** A moment: short to read, exact for whoever points at it. */
export function Moment({ at }: { readonly at: number | string }): ReactNode {
  return (
    <time dateTime={new Date(at).toISOString()} title={exact(at)}>
      {clock(at)}
    </time>
  );
}
