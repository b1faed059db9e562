import { EMPTY_MARKUP, type Markup, markup } from "../../check/report/markup.ts";
import { readYesOrNo } from "../draw/marks.ts";
import { type Column, columnsOf, formatElapsed } from "../draw/ticks.ts";
import type { OutputSpan, RequestSpan, Section, SpanLanes, SubagentSpan, ToolSpan, TraceSpan } from "../trace.ts";
import { atOnceInWords, requestInWords, shortenName, toolInWords } from "../words/describe-section.ts";
import { type DrawnPart, LEFT, laneLabel, PLOT_WIDTH, round } from "./plot.ts";
import { drawSpans, type SpanLook } from "./span-lane.ts";
import { FILLS } from "./svg-style.ts";

/** Bars closer together than this cannot be told apart. */
const APART = 9;

type Rows = TraceSpan & { readonly row: number };

/** Draws bars while they can be told apart, otherwise heights. */
function drawLane<One extends Rows>(
  section: Section,
  y: number,
  lane: SpanLanes<One>,
  { look, amount }: { readonly look: (span: One) => SpanLook; readonly amount: Amount },
): DrawnPart | undefined {
  if (lane.count === 0) return undefined;
  const { spans } = lane;
  const rows = Math.min(lane.atOnce, 8);
  if (spans === undefined || spans.length > (PLOT_WIDTH / APART) * Math.max(1, rows)) return drawAmounts(section, amount, y);
  const note = rows > 1 || amount.hasUnit === true ? amount.note : "";
  return drawSpans({ title: amount.title, note, spans, look }, section.axis, y);
}

export function drawTools(section: Section, y: number): DrawnPart | undefined {
  const { tools } = section;
  return drawLane(section, y, tools, {
    look: (span: ToolSpan) => ({
      fill: span.outcome === "failed" || span.outcome === "timeout" || span.outcome === "denied" ? "var(--page)" : FILLS.tool,
      label: shortenName(span.tool, 60),
      words: toolInWords(span, section.axis.kind),
      sign: signOf(span),
    }),
    amount: {
      title: "Tools",
      note: atOnceInWords(tools.atOnce),
      fill: FILLS.tool,
      words: `Tools running, ${atOnceInWords(tools.atOnce)}; stems where some failed`,
      of: (column) => column.tools,
      failed: (column) => column.toolsFailed,
    },
  });
}

function signOf({ outcome }: ToolSpan): "cross" | "bar" | undefined {
  if (outcome === "failed" || outcome === "timeout") return "cross";
  return outcome === "denied" || outcome === "cancelled" ? "bar" : undefined;
}

const ANSWER_SIGNS = { yes: "tick", no: "cross", other: undefined } as const;

export function drawRequests(section: Section, y: number): DrawnPart | undefined {
  return drawLane(section, y, section.requests, {
    look: (span: RequestSpan) => ({
      fill: FILLS.waiting,
      label: span.answer === undefined ? span.request : shortenName(span.answer, 40),
      words: requestInWords(span, section.axis.kind),
      sign: ANSWER_SIGNS[readYesOrNo(span.answer) ?? "other"],
    }),
    amount: {
      title: "Requests",
      note: `${section.requests.count.toLocaleString("en")} asked`,
      fill: FILLS.waiting,
      words: "How many requests were asked",
      of: (column) => column.requests,
    },
  });
}

export function drawOutput(section: Section, y: number): DrawnPart | undefined {
  return drawLane(section, y, section.output, {
    look: (span: OutputSpan) => ({
      fill: FILLS.output,
      label: span.characters.toLocaleString("en"),
      words: `Output of ${span.characters.toLocaleString("en")} characters in ${span.chunks} pieces${lasting(span, section)}${span.open ? ", never said to be complete" : ""}`,
    }),
    amount: {
      title: "Output",
      note: "characters",
      hasUnit: true,
      fill: FILLS.output,
      words: `${section.output.characters.toLocaleString("en")} characters put out`,
      of: (column) => column.characters,
    },
  });
}

export function drawSubagents(section: Section, y: number): DrawnPart | undefined {
  return drawLane(section, y, section.subagents, {
    look: (span: SubagentSpan) => ({
      fill: FILLS.sub,
      label: shortenName(span.name, 60),
      words: `Subagent ${shortenName(span.name)}${span.outcome === undefined ? "" : `, ${shortenName(span.outcome, 40)}`}${lasting(span, section)}`,
    }),
    amount: {
      title: "Subagents",
      note: atOnceInWords(section.subagents.atOnce),
      fill: FILLS.sub,
      words: `Subagents at work, ${atOnceInWords(section.subagents.atOnce)}`,
      of: (column) => column.subagents,
    },
  });
}

function lasting({ from, to }: TraceSpan, { axis }: Section): string {
  return axis.kind === "time" && from.ms !== undefined && to.ms !== undefined && to.ms > from.ms
    ? `, ${formatElapsed(to.ms - from.ms)}`
    : "";
}

const HEIGHT = 44;
const COLUMN = 4;

/** The heights drawn when there are too many spans for bars. */
interface Amount {
  readonly title: string;
  readonly note: string;
  /** The note gives the unit of the labels, so it is shown even for a single row. */
  readonly hasUnit?: boolean;
  readonly fill: string;
  readonly words: string;
  readonly of: (column: Column) => number;
  /** Number of failures, drawn as thin stems above the heights, which stay distinct at any count. */
  readonly failed?: (column: Column) => number;
}

function drawAmounts(section: Section, { title, note, fill, words, of, failed }: Amount, y: number): DrawnPart {
  const count = Math.floor(PLOT_WIDTH / COLUMN);
  const width = PLOT_WIDTH / count;
  const columns = columnsOf(section, count);
  const most = Math.max(...columns.map(of), 1);
  const base = y + HEIGHT + 6;
  const heights = columns.map((column) => (of(column) === 0 ? 0 : round(Math.max(1.5, (of(column) / most) * HEIGHT))));
  const failures = failed === undefined ? [] : columns.map(failed);
  const scale: Markup = markup`<text class="small quiet" x="${LEFT + PLOT_WIDTH + 4}" y="${y + 14}">${short(most)}</text>`;
  return {
    markup: markup`<g><title>${words}</title>${laneLabel(title, y + 22, note)}<path class="thin" fill="${fill}" d="${outline(heights, width, base)}"/>${drawFailures(failures, width, y)}<line class="rule" x1="${LEFT}" x2="${LEFT + PLOT_WIDTH}" y1="${base}" y2="${base}"/>${scale}</g>`,
    height: HEIGHT + 14,
  };
}

/** Draws steps along the tops, down to the base line where the height is 0. */
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
  if (most === 0) return EMPTY_MARKUP;
  const stems = failures.map((count, at) =>
    count === 0 ? "" : `M${round(LEFT + (at + 0.5) * width)} ${y + 4}v${-round(2 + (count / most) * 6)}`,
  );
  return markup`<text class="small quiet" x="${LEFT - 12}" y="${y + 4}" text-anchor="end">failed</text><path class="stem" d="${stems.join("")}"/>`;
}

function short(amount: number): string {
  return amount >= 1000 ? `${Math.round(amount / 100) / 10}k` : String(Math.round(amount));
}
