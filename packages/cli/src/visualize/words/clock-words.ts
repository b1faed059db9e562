import type { Axis, Moment } from "../trace.ts";

/** `2026-07-01 09:00:00 UTC` */
export function dateInWords(ms: number): string {
  return `${isoOf(ms).slice(0, 19).replace("T", " ")} UTC`;
}

/** `09:00:05` */
export function clockInWords(ms: number): string {
  return isoOf(ms).slice(11, 19);
}

/** How far into the axis' time a moment is, in milliseconds; undefined where only the order is known. */
export function sinceStart(axis: Axis, { ms }: Moment): number | undefined {
  return axis.kind === "time" && ms !== undefined ? Math.max(0, ms - axis.from) : undefined;
}

/** Impossible times never get here; what a broken clock says may still be out of a date's reach. */
function isoOf(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? "????-??-??T??:??:??.000Z" : date.toISOString();
}
