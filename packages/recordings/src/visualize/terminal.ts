import { createStyle, type Style, wrap } from "@earshot/terminal/style";
import { markLabel, marksOf, readYesOrNo } from "./draw/marks.ts";
import { columnsOf, formatElapsed, ticksOf } from "./draw/ticks.ts";
import { axisPlaceOf, placeAt } from "./fold/axis.ts";
import { type RecordingTrace, type Section, type StateName, TRACE_STATES, type TraceSpan } from "./trace.ts";
import { describeSection, shortenName } from "./words/describe-section.ts";
import { brokenInWords, describeTrace, sectionHeadingOf, violationInWords } from "./words/describe-trace.ts";

const LABEL = 10;
const NARROWEST = 40;
const WIDEST = 160;
const MAX_PICTURE_VIOLATIONS = 20;

/** One letter per state, readable in any font and without colors. */
const LETTERS: Readonly<Record<StateName, string>> = {
  idle: ".",
  thinking: "t",
  deciding: "d",
  calling_tool: "c",
  awaiting_input: "w",
  writing_output: "o",
  handing_off: "h",
  other: "x",
};

const LEGEND =
  "State: . idle, t thinking, d deciding, c calling a tool, w waiting for you, o output, h handing off, x other. Tools and Subagents: how many at once. Requests: ? open, Y accepted, N refused, A answered otherwise. Rules: E error, W warning, N note. ~ silence.";

/** Renders the trace for a terminal as lanes of letters, one column per stretch. Text below adds what the picture cannot show. */
export function renderPicture(trace: RecordingTrace, { width, colour }: ListLayout): string {
  const style = createStyle(colour);
  const columns = Math.min(WIDEST, Math.max(NARROWEST, width)) - LABEL - 1;
  const filled = (text: string, hanging = "") => wrap(text, { width, indent: "", hanging });
  const story = describeTrace(trace);
  const lines = [style.bold(story.title), ...story.overview.flatMap((line) => filled(line)), ...filled(LEGEND)];
  for (const section of trace.sections) {
    const [about = "", extent = ""] = describeSection(section, trace);
    const facts = section.goal === undefined ? about : `${extent} ${about}`;
    lines.push("", ...filled(sectionHeadingOf(section)).map(style.bold), ...filled(facts), ...drawSection(trace, section, columns, style));
  }
  const listed = trace.violations.slice(0, MAX_PICTURE_VIOLATIONS);
  if (listed.length > 0) lines.push("", style.bold(brokenInWords(trace.counts)));
  lines.push(...listed.flatMap((violation) => filled(violationInWords(violation), "    ")));
  const more = trace.violations.length - listed.length;
  if (more > 0) lines.push(`${more} more: --format html lists them all.`);
  if (story.rest.length > 0) lines.push("", ...story.rest.flatMap((line) => filled(line)));
  return `${lines.join("\n")}\n`;
}

function drawSection(trace: RecordingTrace, section: Section, columns: number, style: Style): readonly string[] {
  const { axis } = section;
  const at = (place: number) => Math.min(columns - 1, Math.floor(place * columns));
  const lane = (label: string, cells: readonly string[]) => `${label.padEnd(LABEL)} ${silenced(cells).join("")}`.trimEnd();
  const silent = axis.silences.map(({ from, to }) => at((placeAt(axis, from) + placeAt(axis, to)) / 2));
  const silenced = (cells: readonly string[]) => cells.map((cell, index) => (silent.includes(index) ? "~" : cell));
  const place = (span: TraceSpan) => ({ from: at(axisPlaceOf(axis, span.from)), to: at(axisPlaceOf(axis, span.to)) });
  const lines: string[] = [];
  if (section.state.count > 0) lines.push(lane("State", stateCells(section, columns)));
  if (section.tools.count > 0)
    lines.push(
      lane(
        "Tools",
        section.tools.spans === undefined
          ? summedCells(section, columns, "tools")
          : depthCells(section.tools.spans.map(place), columns, section.tools.atOnce),
      ),
    );
  if (section.requests.count > 0) lines.push(lane("Requests", requestCells(section, columns, place)));
  if (section.output.count > 0) lines.push(lane("Output", outputCells(section, columns, place)));
  if (section.subagents.count > 0)
    lines.push(
      lane(
        "Subagents",
        section.subagents.spans === undefined
          ? summedCells(section, columns, "subagents")
          : depthCells(section.subagents.spans.map(place), columns, section.subagents.atOnce),
      ),
    );
  lines.push(...ruleLines(trace, section, columns).map((line) => style.red(line)));
  return [...lines, ...axisLines(section, columns, at)];
}

function stateCells(section: Section, columns: number): readonly string[] {
  return columnsOf(section, columns).map(({ states }) => {
    const most = Math.max(...states);
    return most === 0 ? " " : LETTERS[TRACE_STATES[states.indexOf(most)] ?? "other"];
  });
}

/** One digit for the number at the same time; more than nine are `+`. */
function digit(count: number): string {
  return count === 0 ? " " : count > 9 ? "+" : String(count);
}

function summedCells(section: Section, columns: number, of: "tools" | "subagents"): readonly string[] {
  return columnsOf(section, columns).map((column) => digit(column[of]));
}

interface Cells {
  readonly from: number;
  readonly to: number;
}

/** A column may be longer than a call, and successive calls in it do not overlap, so the count is limited to the lane's maximum. */
function depthCells(spans: readonly Cells[], columns: number, atOnce: number): readonly string[] {
  const counts = Array.from({ length: columns }, () => 0);
  for (const { from, to } of spans) for (let at = from; at <= to; at++) counts[at] = (counts[at] ?? 0) + 1;
  return counts.map((count) => digit(Math.min(count, atOnce)));
}

function requestCells(section: Section, columns: number, place: (span: TraceSpan) => Cells): readonly string[] {
  if (section.requests.spans === undefined) return columnsOf(section, columns).map(({ requests }) => (requests > 0 ? "?" : " "));
  const cells = Array.from({ length: columns }, () => " ");
  for (const span of section.requests.spans) {
    const { from, to } = place(span);
    cells.fill("?", from, to + 1);
    if (span.answer !== undefined) cells[to] = { yes: "Y", no: "N", other: "A" }[readYesOrNo(span.answer) ?? "other"];
  }
  return cells;
}

function outputCells(section: Section, columns: number, place: (span: TraceSpan) => Cells): readonly string[] {
  if (section.output.spans === undefined) return columnsOf(section, columns).map(({ characters }) => (characters >= 1 ? "=" : " "));
  const cells = Array.from({ length: columns }, () => " ");
  for (const span of section.output.spans) {
    const { from, to } = place(span);
    cells.fill("=", from, to + 1);
  }
  return cells;
}

const LETTER_OF = { error: "E", warning: "W", info: "N" } as const;

/** A letter at each mark, and below it the number in the list if there is room. */
function ruleLines(trace: RecordingTrace, section: Section, columns: number): readonly string[] {
  const marks = marksOf(trace, section, 1 / columns);
  if (marks.length === 0) return [];
  const letters = Array.from({ length: columns }, () => " ");
  let numbers = "";
  for (const mark of marks) {
    const at = Math.min(columns - 1, Math.floor(mark.place * columns));
    letters[at] = LETTER_OF[mark.severity];
    const label = markLabel(mark);
    const start = Math.min(at, columns - label.length);
    if (numbers.length === 0 || start > numbers.length) numbers = numbers.padEnd(start) + label;
  }
  return [`${"Rules".padEnd(LABEL)} ${letters.join("")}`.trimEnd(), `${" ".repeat(LABEL)} ${numbers}`];
}

function axisLines({ axis }: Section, columns: number, at: (place: number) => number): readonly string[] {
  if (axis.from === axis.to) return [];
  let numbers = "";
  const marks = Array.from({ length: columns }, () => "-");
  for (const { place, label } of ticksOf(axis, Math.max(2, Math.floor(columns / 14)), 12 / columns)) {
    const start = at(place);
    if (start + label.length > columns || (numbers !== "" && start <= numbers.length)) continue;
    marks[start] = "|";
    numbers = numbers.padEnd(start) + label;
  }
  const unit = axis.kind === "time" ? "Time" : "Event";
  const silences = axis.kind === "time" ? axis.silences.map(({ from, to }) => formatElapsed(to - from)) : [];
  const silent = silences.length === 0 ? [] : [`${" ".repeat(LABEL)} ~ ${silences.map((text) => shortenName(text)).join(", ")}`];
  return [`${" ".repeat(LABEL)} ${marks.join("")}`, `${unit.padEnd(LABEL)} ${numbers}`, ...silent];
}

/** The layout of the text; a width of 0 disables wrapping. */
export interface ListLayout {
  readonly width: number;
  readonly colour: boolean;
}

/** Broken rules listed individually in each part. */
const MAX_LIST_VIOLATIONS = 50;

/** Renders the trace as a list to read from top to bottom: for screen readers, braille displays, files and pipes. */
export function renderList(trace: RecordingTrace, { width, colour }: ListLayout): string {
  const style = createStyle(colour);
  const story = describeTrace(trace);
  const filled = (text: string) => wrap(text, { width, indent: "", hanging: "    " });
  const lines = [style.bold(story.title), ...story.overview.flatMap(filled)];
  for (const { heading, sentences, violations } of story.sections) {
    lines.push("", ...filled(heading).map(style.bold), ...sentences.flatMap(filled));
    for (const violation of violations.slice(0, MAX_LIST_VIOLATIONS)) {
      const [first = "", ...others] = filled(violationInWords(violation));
      lines.push(violation.severity === "error" ? style.red(first) : first, ...others);
    }
    if (violations.length > MAX_LIST_VIOLATIONS) lines.push(`${violations.length - MAX_LIST_VIOLATIONS} more are listed in the HTML page.`);
  }
  const elsewhere = trace.violations.filter(({ section }) => section === undefined).slice(0, MAX_LIST_VIOLATIONS);
  const rest = [...elsewhere.map(violationInWords), ...story.rest];
  if (rest.length > 0) lines.push("", ...rest.flatMap(filled));
  return `${lines.join("\n")}\n`;
}
