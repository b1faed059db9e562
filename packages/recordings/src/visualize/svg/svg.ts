import { formatNumber } from "@earshot/narrate";
import { type Markup, markup } from "../../check/report/markup.ts";
import { formatElapsed, ticksOf } from "../draw/ticks.ts";
import type { Axis, RecordingTrace, Section } from "../trace.ts";
import { describeSection, shortenName } from "../words/describe-section.ts";
import { brokenInWords, describeTrace, sectionHeadingOf, violationInWords } from "../words/describe-trace.ts";
import { drawOutput, drawRequests, drawSubagents, drawTools } from "./lanes.ts";
import { drawLegend } from "./legend.ts";
import { type DrawnPart, fittingText, LEFT, laneLabel, PLOT_WIDTH, WIDTH, xAt, xOfCoordinate } from "./plot.ts";
import { drawRules } from "./rules-lane.ts";
import { drawStates } from "./state-lane.ts";
import { FILL_PATTERNS, SVG_STYLE } from "./svg-style.ts";

/** Broken rules listed below the picture; the page and the description list more. */
const LISTED = 12;
/** Broken rules in the description, which a screen reader reads aloud at the speed of speech. */
const TOLD = 40;
const STYLE: Markup = { markup: SVG_STYLE };

/** Renders the trace as a standalone picture with its text alternative inside. */
export function renderSvg(trace: RecordingTrace): string {
  const { markup: picture } = drawPicture(trace, { isStandalone: true });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${picture}\n`;
}

export interface PictureOptions {
  /** Whether the picture contains its own text; inside a page, the text is below the picture. */
  readonly isStandalone: boolean;
}

export function drawPicture(trace: RecordingTrace, { isStandalone }: PictureOptions): Markup {
  const parts: Markup[] = [];
  let y = 20;
  if (isStandalone) {
    const broken = brokenInWords(trace.counts);
    parts.push(markup`<text class="title" x="28" y="${y + 18}">Trace of ${fittingText(shortenName(trace.title, 100), WIDTH - 200, 20)}</text>
<text class="lane quiet" x="28" y="${y + 40}">${overview(trace)} ${broken}</text>`);
    y += 58;
  }
  const legend = drawLegend(trace, y);
  parts.push(legend.markup);
  y += legend.height;
  for (const section of trace.sections) {
    const drawn = drawSection(trace, section, y + 10);
    parts.push(drawn.markup);
    y += drawn.height + 18;
  }
  const list = isStandalone ? drawList(trace, y) : { markup: markup``, height: 0 };
  parts.push(list.markup);
  const height = Math.ceil(y + list.height + 12);
  return markup`<svg xmlns="http://www.w3.org/2000/svg" class="trace" viewBox="0 0 ${WIDTH} ${height}" ${size(isStandalone, height)} role="img" aria-labelledby="${isStandalone ? "trace-title trace-desc" : "trace-title"}">
<title id="trace-title">${`Trace of ${shortenName(trace.title, 100)}`}</title>
${isStandalone ? markup`<desc id="trace-desc">${{ markup: describe(trace).markup }}</desc>` : markup``}
<style>${STYLE}</style>
${FILL_PATTERNS}
<rect class="page" width="${WIDTH}" height="${height}"/>
${parts}
</svg>`;
}

/** In a page the picture shrinks with the window; a standalone file has a fixed size. */
function size(isStandalone: boolean, height: number): Markup {
  return isStandalone ? markup`width="${WIDTH}" height="${height}"` : markup`style="width:100%;height:auto;display:block"`;
}

function overview(trace: RecordingTrace): string {
  const [first = ""] = describeTrace(trace).overview;
  return first;
}

/** The picture as text, one sentence per line, for reading aloud. */
function describe(trace: RecordingTrace): Markup {
  const story = describeTrace(trace);
  const told = trace.violations.slice(0, TOLD).map(violationInWords);
  const lines = [
    ...story.overview,
    ...story.sections.flatMap(({ heading, sentences }) => [`${heading}.`, ...sentences]),
    ...told,
    ...story.rest,
  ];
  return { markup: lines.map((line) => markup`${line}`.markup).join("\n") };
}

function drawSection(trace: RecordingTrace, section: Section, y: number): DrawnPart {
  const indent = Math.min(section.depth, 4) * 18;
  const heading = fittingText(sectionHeadingOf(section), WIDTH - 60 - indent, 15);
  const [first = "", second = ""] = describeSection(section, trace);
  const about = fittingText(section.goal === undefined ? first : `${second} ${first}`, WIDTH - 60 - indent, 12);
  const top = y + 48;
  let at = top;
  const lanes: Markup[] = [];
  const add = (drawn: DrawnPart | undefined) => {
    if (drawn === undefined) return;
    lanes.push(drawn.markup);
    at += drawn.height + 4;
  };
  if (section.state.count > 0) add(drawStates(section, at));
  add(drawTools(section, at));
  add(drawRequests(section, at));
  add(drawOutput(section, at));
  add(drawSubagents(section, at));
  const bottom = at;
  const rules = drawRules(trace, section, at, top);
  at += rules?.height ?? 0;
  const axis = drawAxis(section.axis, at + 2);
  const nested = indent === 0 ? markup`` : markup`<path class="break" d="M${20 + indent} ${y}v14h6"/>`;
  return {
    markup: markup`<g><line class="rule" x1="28" x2="${LEFT + PLOT_WIDTH}" y1="${y - 4}" y2="${y - 4}"/>${nested}
<text class="heading" x="${28 + indent}" y="${y + 18}">${heading}</text><text class="lane quiet" x="${28 + indent}" y="${y + 36}">${about}</text>
${drawGrid(section.axis, top, at + 2)}
${lanes}
${bottom > top ? drawBreaks(section, top, bottom) : markup``}
${rules === undefined ? markup`` : rules.markup}
${axis.markup}</g>`,
    height: at + 2 + axis.height - y,
  };
}

/** Marks have no tooltips on paper, so the list explains their numbers. */
function drawList(trace: RecordingTrace, y: number): DrawnPart {
  const listed = trace.violations.slice(0, LISTED);
  if (listed.length === 0) return { markup: markup``, height: 0 };
  const total = trace.counts.error + trace.counts.warning + trace.counts.info;
  const more =
    total > listed.length
      ? [markup`<text class="lane quiet" x="28" y="${y + 44 + listed.length * 20}">and ${formatNumber(total - listed.length)} more</text>`]
      : [];
  const lines = listed.map(
    (violation, index) =>
      markup`<text class="lane" x="28" y="${y + 44 + index * 20}">${fittingText(violationInWords(violation), WIDTH - 64, 12)}</text>`,
  );
  return {
    markup: markup`<g><line class="rule" x1="28" x2="${LEFT + PLOT_WIDTH}" y1="${y}" y2="${y}"/><text class="heading" x="28" y="${y + 22}">What is marked</text>${lines}${more}</g>`,
    height: 54 + (listed.length + more.length) * 20,
  };
}

const MAX_TICKS = 9;
const APART = 0.075;

/** Draws the numbers below the lanes; the length of each silence is below its break. */
function drawAxis(axis: Axis, y: number): DrawnPart {
  const ticks = axis.from === axis.to ? [] : ticksOf(axis, MAX_TICKS, APART);
  const silences = axis.silences.map(({ from, to }) => {
    const middle = (xOfCoordinate(axis, from) + xOfCoordinate(axis, to)) / 2;
    return markup`<text class="small quiet" x="${middle}" y="${y + 29}" text-anchor="middle">${axis.kind === "time" ? formatElapsed(to - from) : "…"}</text>`;
  });
  return {
    markup: markup`<g>${laneLabel(axis.kind === "time" ? "Time" : "Event", y + 14)}<line class="rule" x1="${LEFT}" x2="${LEFT + PLOT_WIDTH}" y1="${y}" y2="${y}"/>
${ticks.map(({ place, label }) => markup`<text class="small" x="${xAt(place)}" y="${y + 15}" text-anchor="${place < 0.01 ? "start" : place > 0.98 ? "end" : "middle"}">${label}</text>`)}${silences}</g>`,
    height: axis.silences.length > 0 ? 36 : 22,
  };
}

/** Draws the lines behind the lanes. */
function drawGrid(axis: Axis, top: number, bottom: number): Markup {
  const ticks = axis.from === axis.to ? [] : ticksOf(axis, MAX_TICKS, APART);
  return markup`<g aria-hidden="true">${ticks.map(({ place }) => markup`<line class="grid" x1="${xAt(place)}" x2="${xAt(place)}" y1="${top}" y2="${bottom}"/>`)}</g>`;
}

/** Cuts silences out of the lanes, between two zigzag lines. */
function drawBreaks({ axis }: Section, top: number, bottom: number): Markup {
  const breaks = axis.silences.map(({ from, to }) => {
    const middle = (xOfCoordinate(axis, from) + xOfCoordinate(axis, to)) / 2;
    const [left, right] = [middle - 5, middle + 5];
    const words = axis.kind === "time" ? `Nothing was said for ${formatElapsed(to - from)}` : "Others spoke";
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
