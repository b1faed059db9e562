import { type Markup, markup } from "../../check/report/markup.ts";
import { axisPlaceOf, placeAt } from "../fold/axis.ts";
import type { Axis, TraceMoment } from "../trace.ts";

/** The plot area: labels are to the left of it, everything else is inside. */
export const WIDTH = 1200;
export const LEFT = 132;
export const PLOT_WIDTH = WIDTH - LEFT - 40;

/** A part of the picture and its height. */
export interface DrawnPart {
  readonly markup: Markup;
  readonly height: number;
}

export function xOf(axis: Axis, moment: TraceMoment): number {
  return xAt(axisPlaceOf(axis, moment));
}

export function xOfCoordinate(axis: Axis, coordinate: number): number {
  return xAt(placeAt(axis, coordinate));
}

export function xAt(place: number): number {
  return round(LEFT + place * PLOT_WIDTH);
}

/** Rounds to a tenth of a pixel: finer is invisible, and the file stays small. */
export function round(number: number): number {
  return Math.round(number * 10) / 10;
}

/** Estimates the drawn width of a text: no font is available for measuring, and an overestimate is better than overlap. */
export function widthOf(text: string, size = 11): number {
  let width = 0;
  for (const character of text) width += (character.codePointAt(0) ?? 0) > 0x2e80 ? 1.05 : /[A-ZMW@%…]/.test(character) ? 0.72 : 0.56;
  return width * size;
}

/** The beginning of a text that fits, or an empty string if not even a few letters fit. */
export function fittingText(text: string, room: number, size = 11): string {
  if (widthOf(text, size) <= room) return text;
  const letters = [...text];
  while (letters.length > 0 && widthOf(`${letters.join("")}…`, size) > room) letters.pop();
  return letters.length < 3 ? "" : `${letters.join("").trimEnd()}…`;
}

export function laneLabel(text: string, y: number, note = ""): Markup {
  const second = note === "" ? markup`` : markup`<text class="small quiet" x="${LEFT - 12}" y="${y + 13}" text-anchor="end">${note}</text>`;
  return markup`<text class="lane" x="${LEFT - 12}" y="${y}" text-anchor="end">${text}</text>${second}`;
}
