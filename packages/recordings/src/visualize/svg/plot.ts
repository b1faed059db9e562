import { type Markup, markup } from "../../check/report/markup.ts";
import { placeAt, placeOf } from "../fold/axis.ts";
import type { Axis, Moment } from "../trace.ts";

/** Where lanes are drawn: labels to the left of it, everything else inside. */
export const WIDTH = 1200;
export const LEFT = 132;
export const PLOT = WIDTH - LEFT - 40;

/** A part of the picture and how much height it takes. */
export interface Drawn {
  readonly markup: Markup;
  readonly height: number;
}

export function xOf(axis: Axis, moment: Moment): number {
  return xAt(placeOf(axis, moment));
}

export function xOfCoordinate(axis: Axis, coordinate: number): number {
  return xAt(placeAt(axis, coordinate));
}

export function xAt(place: number): number {
  return round(LEFT + place * PLOT);
}

/** A tenth of a pixel is finer than anybody sees, and keeps the file small. */
export function round(number: number): number {
  return Math.round(number * 10) / 10;
}

/** How wide a text is drawn, about: no font is at hand to measure with, and too wide is better than overlapping. */
export function widthOf(text: string, size = 11): number {
  let width = 0;
  for (const character of text) width += (character.codePointAt(0) ?? 0) > 0x2e80 ? 1.05 : /[A-ZMW@%…]/.test(character) ? 0.72 : 0.56;
  return width * size;
}

/** The beginning of a text that fits, or nothing when not even a few letters do. */
export function fitting(text: string, room: number, size = 11): string {
  if (widthOf(text, size) <= room) return text;
  const letters = [...text];
  while (letters.length > 0 && widthOf(`${letters.join("")}…`, size) > room) letters.pop();
  return letters.length < 3 ? "" : `${letters.join("").trimEnd()}…`;
}

export function laneLabel(text: string, y: number, note = ""): Markup {
  const second = note === "" ? markup`` : markup`<text class="small quiet" x="${LEFT - 12}" y="${y + 13}" text-anchor="end">${note}</text>`;
  return markup`<text class="lane" x="${LEFT - 12}" y="${y}" text-anchor="end">${text}</text>${second}`;
}
