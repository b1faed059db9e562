import { type Markup, markup, NOTHING } from "../../check/report/markup.ts";
import { type Column, columnsOf } from "../draw/columns.ts";
import type { Section } from "../trace.ts";
import { type Drawn, LEFT, laneLabel, PLOT, round } from "./plot.ts";

const HEIGHT = 44;
const COLUMN = 4;

/** What is drawn as a height where there are too many spans for bars. */
export interface Amount {
  readonly title: string;
  readonly note: string;
  /** The note says what the labels count, and stands there also where one row has no room for it. */
  readonly hasUnit?: boolean;
  readonly fill: string;
  readonly words: string;
  readonly of: (column: Column) => number;
  /** How many failed: thin stems above the heights, which stay apart however many there are. */
  readonly failed?: (column: Column) => number;
}

export function drawAmounts(section: Section, { title, note, fill, words, of, failed }: Amount, y: number): Drawn {
  const count = Math.floor(PLOT / COLUMN);
  const width = PLOT / count;
  const columns = columnsOf(section, count);
  const most = Math.max(...columns.map(of), 1);
  const base = y + HEIGHT + 6;
  const heights = columns.map((column) => (of(column) === 0 ? 0 : round(Math.max(1.5, (of(column) / most) * HEIGHT))));
  const failures = failed === undefined ? [] : columns.map(failed);
  const scale: Markup = markup`<text class="small quiet" x="${LEFT + PLOT + 4}" y="${y + 14}">${short(most)}</text>`;
  return {
    markup: markup`<g><title>${words}</title>${laneLabel(title, y + 22, note)}<path class="thin" fill="${fill}" d="${outline(heights, width, base)}"/>${drawFailures(failures, width, y)}<line class="rule" x1="${LEFT}" x2="${LEFT + PLOT}" y1="${base}" y2="${base}"/>${scale}</g>`,
    height: HEIGHT + 14,
  };
}

/** Steps along the tops, down to the ground wherever there is nothing. */
function outline(heights: readonly number[], width: number, base: number): string {
  let path = "";
  heights.forEach((height, at) => {
    const before = heights[at - 1] ?? 0;
    if (height > 0 && before === 0) path += `M${round(LEFT + at * width)} ${base}`;
    if (height > 0 && height !== before) path += `V${round(base - height)}`;
    if (height > 0) path += `H${round(LEFT + (at + 1) * width)}`;
    if (height > 0 && (heights[at + 1] ?? 0) === 0) path += `V${base}Z`;
  });
  return path;
}

function drawFailures(failures: readonly number[], width: number, y: number): Markup {
  const most = Math.max(...failures, 0);
  if (most === 0) return NOTHING;
  const stems = failures.map((count, at) =>
    count === 0 ? "" : `M${round(LEFT + (at + 0.5) * width)} ${y + 4}v${-round(2 + (count / most) * 6)}`,
  );
  return markup`<text class="small quiet" x="${LEFT - 12}" y="${y + 4}" text-anchor="end">failed</text><path class="stem" d="${stems.join("")}"/>`;
}

function short(amount: number): string {
  return amount >= 1000 ? `${Math.round(amount / 100) / 10}k` : String(Math.round(amount));
}
