import { formatState } from "@earshot/narrate";
import { type Markup, markup } from "../../check/report/markup.ts";
import { type Column, columnsOf, formatElapsed } from "../draw/ticks.ts";
import { type Section, type StateSpan, TRACE_STATES } from "../trace.ts";
import { shortenName } from "../words/describe-section.ts";
import { type DrawnPart, LEFT, laneLabel, PLOT_WIDTH, round, widthOf, xOf } from "./plot.ts";
import { STATE_FILLS, TINTS } from "./svg-style.ts";

const HEIGHT = 26;
const TALL = 64;
/** Below this bar width, shares are more readable than bars. */
const READABLE = 2;
/** Width of one column of shares. */
const COLUMN = 4;

/** Draws the sequence of states; with very many, the share of each state per column. */
export function drawStates(section: Section, y: number): DrawnPart {
  const { spans } = section.state;
  const room = spans === undefined ? 0 : PLOT_WIDTH / Math.max(1, spans.length);
  if (spans === undefined || room < READABLE * 4) return drawShares(section, y);
  const bars = spans.map((span) => drawState(section, span, y + 3));
  return { markup: markup`<g>${laneLabel("State", y + 20)}${bars}</g>`, height: HEIGHT + 8 };
}

function drawState({ axis }: Section, span: StateSpan, y: number): Markup {
  const x = xOf(axis, span.from);
  const width = Math.max(1, round(xOf(axis, span.to) - x));
  const word = shortenName(formatState(span.word), 40);
  const lasting =
    axis.kind === "time" && span.from.ms !== undefined && span.to.ms !== undefined ? `, ${formatElapsed(span.to.ms - span.from.ms)}` : "";
  const label = widthOf(word) <= width - 8 ? word : "";
  const text =
    label === ""
      ? markup``
      : markup`<text class="label" style="stroke:var(--${TINTS[span.state]})" x="${round(x + 5)}" y="${y + 17}">${label}</text>`;
  return markup`<g><title>${word}${lasting}</title><rect class="box${span.open ? " open" : ""}" x="${x}" y="${y}" width="${width}" height="${HEIGHT}" fill="${STATE_FILLS[span.state]}"/>${text}</g>`;
}

/** Stacked from the bottom, always in the same order, so that one state can be followed through the picture. */
function drawShares(section: Section, y: number): DrawnPart {
  const count = Math.floor(PLOT_WIDTH / COLUMN);
  const width = PLOT_WIDTH / count;
  const columns = columnsOf(section, count);
  const parts = TRACE_STATES.map((state, index) => {
    const path = columns.map((column, at) => shareOf(column, index, { x: LEFT + at * width, width, y })).join("");
    return path === "" ? markup`` : markup`<path fill="${STATE_FILLS[state]}" d="${path}"/>`;
  });
  const frame = markup`<rect class="box" fill="none" x="${LEFT}" y="${y}" width="${PLOT_WIDTH}" height="${TALL}"/>`;
  return {
    markup: markup`<g><title>How much of each stretch every state had</title>${laneLabel("State", y + 28, "share of time")}${parts}${frame}</g>`,
    height: TALL + 8,
  };
}

function shareOf(
  { states }: Column,
  index: number,
  { x, width, y }: { readonly x: number; readonly width: number; readonly y: number },
): string {
  const total = states.reduce((sum, weight) => sum + weight, 0);
  const own = states[index] ?? 0;
  if (total === 0 || own === 0) return "";
  const below = states.slice(0, index).reduce((sum, weight) => sum + weight, 0);
  const top = round(y + TALL - ((below + own) / total) * TALL);
  return `M${round(x)} ${top}h${round(width)}v${round((own / total) * TALL)}h${round(-width)}z`;
}
