import { type Markup, markup } from "../../check/report/markup.ts";
import type { Axis, TraceSpan } from "../trace.ts";
import { type DrawnPart, fittingText, LEFT, laneLabel, PLOT_WIDTH, round, widthOf, xOf, xOfCoordinate } from "./plot.ts";

/** The background color behind a text on a pattern. */
const TINTS: Readonly<Record<string, string>> = {
  "url(#p-waiting)": "var(--waiting)",
  "url(#p-output)": "var(--output)",
  "url(#p-handing)": "var(--handing)",
};

/** The appearance of one span in a lane. */
export interface SpanLook {
  readonly fill: string;
  /** Written inside the bar, or to its right if there is room. */
  readonly label: string;
  /** The full description as text. */
  readonly words: string;
  /** A sign at the end of the bar, because color alone must not carry the outcome. */
  readonly sign?: "cross" | "tick" | "bar" | undefined;
}

const ROW = 20;
const BAR = 15;
/** Minimum bar width, so that the shortest spans stay visible. */
const NARROWEST = 4;

export interface SpanLane<One extends TraceSpan> {
  readonly title: string;
  readonly note: string;
  readonly spans: readonly One[];
  readonly look: (span: One) => SpanLook;
}

/** Draws a lane of bars in rows: spans that overlap in time are in different rows. */
export function drawSpans<One extends TraceSpan & { readonly row: number }>(
  { title, note, spans, look }: SpanLane<One>,
  axis: Axis,
  y: number,
): DrawnPart {
  const rows = Math.max(...spans.map(({ row }) => row), 0) + 1;
  const bars = spans.map((span) => ({ span, x: xOf(axis, span.from), end: xOf(axis, span.to) }));
  const breaks = axis.silences.map(({ from, to }) => (xOfCoordinate(axis, from) + xOfCoordinate(axis, to)) / 2 - 8);
  const drawn = bars.map(({ span, x, end }) => {
    const inRow = bars.filter((other) => other.span.row === span.row && other.x > x).map((other) => other.x);
    const next = Math.min(...inRow, ...breaks.filter((at) => at > end), LEFT + PLOT_WIDTH + 24);
    return drawBar(span, look(span), { x, end: Math.max(x + NARROWEST, end), next, y: y + span.row * ROW + 2 });
  });
  return { markup: markup`<g>${laneLabel(title, y + 14, note)}${drawn}</g>`, height: Math.max(rows * ROW + 2, note === "" ? 0 : 32) };
}

interface Place {
  readonly x: number;
  readonly end: number;
  /** The start of the next bar in the row. */
  readonly next: number;
  readonly y: number;
}

function drawBar(span: TraceSpan, { fill, label, words, sign }: SpanLook, { x, end, next, y }: Place): Markup {
  const width = round(end - x);
  const signRoom = sign === undefined ? 0 : 15;
  // The sign is drawn after the bar, or inside it if the next bar follows immediately: the outcome matters more than the name.
  const isSignInside = sign !== undefined && next - end <= signRoom && width >= 18;
  const room = width - 10 - (isSignInside ? signRoom : 0);
  const hasRoomBeside = !isSignInside && widthOf(label) <= next - end - 10 - signRoom;
  const beside = hasRoomBeside && widthOf(label) > room ? label : "";
  const inside = beside === "" ? labelInside(label, room) : "";
  const text =
    inside !== ""
      ? markup`<text class="label" style="stroke:${fill.startsWith("var") ? fill : (TINTS[fill] ?? "none")}" x="${round(x + 5)}" y="${y + 11}">${inside}</text>`
      : beside !== ""
        ? markup`<text class="label" x="${round(end + 5 + signRoom)}" y="${y + 11}">${beside}</text>`
        : markup``;
  const signAt = isSignInside ? end - 9 : end + 8;
  const hasSign = sign !== undefined && (isSignInside || next - end > signRoom);
  const signed = hasSign ? drawSign(sign, round(signAt), y + BAR / 2) : markup``;
  return markup`<g><title>${words}</title><rect class="box${span.open ? " open" : ""}" x="${x}" y="${y}" width="${width}" height="${BAR}" rx="2.5" fill="${fill}"/>${signed}${text}</g>`;
}

/** Returns the whole label, or a beginning that is long enough to identify it. */
function labelInside(label: string, room: number): string {
  if (widthOf(label) <= room) return label;
  return room < 40 ? "" : fittingText(label, room);
}

export function drawSign(sign: "cross" | "tick" | "bar", x: number, y: number): Markup {
  const path =
    sign === "cross"
      ? `M${x - 4} ${y - 4}L${x + 4} ${y + 4}M${x - 4} ${y + 4}L${x + 4} ${y - 4}`
      : sign === "tick"
        ? `M${x - 4} ${y}L${x - 1} ${y + 3.5}L${x + 4.5} ${y - 4}`
        : `M${x - 4} ${y}H${x + 4}`;
  return markup`<path class="glyph" d="${path}"/>`;
}
