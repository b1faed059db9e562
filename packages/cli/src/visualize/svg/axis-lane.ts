import { type Markup, markup } from "../../check/report/markup.ts";
import { elapsed, ticksOf } from "../draw/ticks.ts";
import type { Axis, Section } from "../trace.ts";
import { type Drawn, LEFT, laneLabel, PLOT, xAt, xOfCoordinate } from "./plot.ts";

const MOST_TICKS = 9;
const APART = 0.075;

/** The numbers below the lanes; the length of each silence stands below its break. */
export function drawAxis(axis: Axis, y: number): Drawn {
  const ticks = axis.from === axis.to ? [] : ticksOf(axis, MOST_TICKS, APART);
  const silences = axis.silences.map(({ from, to }) => {
    const middle = (xOfCoordinate(axis, from) + xOfCoordinate(axis, to)) / 2;
    return markup`<text class="small quiet" x="${middle}" y="${y + 29}" text-anchor="middle">${axis.kind === "time" ? elapsed(to - from) : "…"}</text>`;
  });
  return {
    markup: markup`<g>${laneLabel(axis.kind === "time" ? "Time" : "Event", y + 14)}<line class="rule" x1="${LEFT}" x2="${LEFT + PLOT}" y1="${y}" y2="${y}"/>
${ticks.map(({ place, label }) => markup`<text class="small" x="${xAt(place)}" y="${y + 15}" text-anchor="${place < 0.01 ? "start" : place > 0.98 ? "end" : "middle"}">${label}</text>`)}${silences}</g>`,
    height: axis.silences.length > 0 ? 36 : 22,
  };
}

/** Lines behind the lanes. */
export function drawGrid(axis: Axis, top: number, bottom: number): Markup {
  const ticks = axis.from === axis.to ? [] : ticksOf(axis, MOST_TICKS, APART);
  return markup`<g aria-hidden="true">${ticks.map(({ place }) => markup`<line class="grid" x1="${xAt(place)}" x2="${xAt(place)}" y1="${top}" y2="${bottom}"/>`)}</g>`;
}

/** Silences are cut out of the lanes, between two zigzag lines. */
export function drawBreaks({ axis }: Section, top: number, bottom: number): Markup {
  const breaks = axis.silences.map(({ from, to }) => {
    const middle = (xOfCoordinate(axis, from) + xOfCoordinate(axis, to)) / 2;
    const [left, right] = [middle - 5, middle + 5];
    const words = axis.kind === "time" ? `Nothing was said for ${elapsed(to - from)}` : "Others spoke";
    return markup`<g><title>${words}</title><path class="silence" d="${zigzag(left, top, bottom)}L${right} ${bottom}${zigzag(right, bottom, top).replace("M", "L")}Z"/><path class="break" d="${zigzag(left, top, bottom)}${zigzag(right, top, bottom)}"/></g>`;
  });
  return markup`${breaks}`;
}

function zigzag(x: number, from: number, to: number): string {
  const step = 6;
  const points: string[] = [];
  const down = to > from;
  for (let at = 0; at * step <= Math.abs(to - from); at++)
    points.push(`${x + (at % 2 === 0 ? -2 : 2)} ${down ? from + at * step : from - at * step}`);
  return `M${points.join("L")}`;
}
