import { formatCount, formatDuration, formatList, formatNumber, formatState, spaceWords } from "@earshot/narrate";
import { plainText } from "@earshot/terminal/plain-text";
import { MAX_OPEN_SPANS } from "../fold/open-spans.ts";
import {
  type Axis,
  type OutputSpan,
  type RecordingTrace,
  type RequestSpan,
  type Section,
  type ToolSpan,
  TRACE_STATES,
  type TraceMoment,
  type TraceSpan,
} from "../trace.ts";

/** Up to this many items are listed individually; more are summarized. */
const TOLD = 8;

/** One agent's section in sentences: goal, duration, end, states, tools, requests, output, subagents, rules. */
export function describeSection(section: Section, trace: RecordingTrace): readonly string[] {
  return [
    ...(section.goal === undefined ? [] : [quotedSentence("It is for", section.goal)]),
    extentOf(section),
    ...silencesOf(section),
    ...(section.session === "" ? [] : [endOf(section)]),
    ...statesOf(section),
    ...toolsOf(section),
    ...requestsOf(section),
    ...outputOf(section),
    ...subagentsOf(section, trace),
    ...(section.errors === 0 ? [] : [`It told of ${formatCount(section.errors, "failure")} besides.`]),
    rulesOf(section),
  ];
}

function extentOf({ events, messages, axis, first, last, session }: Section): string {
  const others = messages === 0 ? "" : ` and ${formatCount(messages, "other message")}`;
  const what = session === "" ? formatCount(events + messages, "entry", "entries") : `${formatCount(events, "event")}${others}`;
  if (axis.kind === "order" || first.ms === undefined || last.ms === undefined)
    return events + messages === 1 ? `${what}.` : `${what}. Their times cannot be used, so only their order is told.`;
  if (last.ms === first.ms) return `${what}, at ${dateInWords(first.ms)}.`;
  return `${what} in ${formatDuration(last.ms - first.ms)}, from ${dateInWords(first.ms)}.`;
}

function silencesOf({ axis, parent }: Section): readonly string[] {
  // The axis belongs to the family: described once, in the family's first section.
  if (parent !== undefined || axis.kind === "order") return [];
  return axis.silences.map(({ from, to }) => `Nothing was said for ${formatDuration(to - from)}, from ${clockInWords(from)}.`);
}

function endOf({ outcome }: Section): string {
  return outcome === undefined || outcome === "unknown" ? "Nothing says how it ended." : `It ended: ${shortenName(spaceWords(outcome))}.`;
}

function statesOf(section: Section): readonly string[] {
  const { state, statesAreRead, axis } = section;
  if (state.count === 0) return [];
  const read = statesAreRead ? ["It told no states; they are read from what it did."] : [];
  if (state.spans !== undefined && state.spans.length <= TOLD) {
    const told = state.spans.map((span) => `${shortenName(formatState(span.word))}${lastingOf(span, axis.kind)}`);
    return [...read, `States: ${told.join(", then ")}.`];
  }
  return [...read, `${formatCount(state.count, "state")}, one after the other: ${sharesOf(section)}.`];
}

/** For example `thinking 45 percent of the time`, the longest first. */
function sharesOf({ buckets, axis }: Section): string {
  const sums = TRACE_STATES.map((state, index) => ({
    state,
    sum: buckets.reduce((sum, bucket) => sum + ((axis.kind === "time" ? bucket.stateMs : bucket.stateEvents)[index] ?? 0), 0),
  }));
  const total = sums.reduce((sum, one) => sum + one.sum, 0);
  const of = axis.kind === "time" ? "of the time" : "of the events";
  const told = sums
    .filter(({ sum }) => sum > 0)
    .sort((a, b) => b.sum - a.sum)
    .map(({ state, sum }, index) => `${formatState(state)} ${percent(sum / total)}${index === 0 ? ` ${of}` : ""}`);
  return formatList(told);
}

function percent(share: number): string {
  return share < 0.01 ? "under 1 percent" : `${Math.round(share * 100)} percent`;
}

function toolsOf({ tools, axis }: Section): readonly string[] {
  if (tools.count === 0) return [];
  const failed = tools.failed === 0 ? "" : `, ${formatNumber(tools.failed)} failed`;
  const atOnce = tools.atOnce > 1 ? `, ${atOnceInWords(tools.atOnce)}` : tools.count > 1 ? ", one at a time" : "";
  const head = `${formatCount(tools.count, "tool call")}${atOnce}${failed}.`;
  if (tools.spans !== undefined && tools.count <= TOLD) return [head, ...tools.spans.map((span) => toolInWords(span, axis.kind))];
  const most = tools.names.slice(0, 5).map(({ tool, calls }) => `${shortenName(tool)} ${formatCount(calls, "time")}`);
  return [head, `Most used: ${formatList(most)}.`];
}

/** Above the limit of followed spans, the number of open ones is unknown. */
export function atOnceInWords(count: number): string {
  return count >= MAX_OPEN_SPANS ? `${MAX_OPEN_SPANS} or more at once` : `up to ${count} at once`;
}

export function toolInWords(span: ToolSpan, kind: Section["axis"]["kind"]): string {
  const what = `Tool ${shortenName(span.tool)}`;
  if (span.open) return `${what} never ended, as far as the recording says.`;
  return `${what} ${span.outcome === undefined || span.outcome === "unknown" ? "ended" : OUTCOMES[span.outcome]}${afterOf(span, kind)}.`;
}

const OUTCOMES = {
  succeeded: "succeeded",
  failed: "failed",
  denied: "was denied",
  cancelled: "was cancelled",
  timeout: "ran out of time",
  unknown: "ended",
} as const;

function requestsOf({ requests, axis }: Section): readonly string[] {
  if (requests.count === 0) return [];
  const head = `${formatCount(requests.count, "request")}.`;
  if (requests.spans === undefined) return [head];
  if (requests.count <= TOLD) return [head, ...requests.spans.map((span) => requestInWords(span, axis.kind))];
  const answers = new Map<string, number>();
  for (const { answer, open } of requests.spans) {
    const key = answer === undefined ? (open ? "still open" : "no answer recorded") : shortenName(spaceWords(answer), 40);
    if (answers.has(key) || answers.size < TOLD) answers.set(key, (answers.get(key) ?? 0) + 1);
  }
  return [
    `${formatCount(requests.count, "request")}: ${formatList([...answers].map(([answer, count]) => `${answer} ${formatCount(count, "time")}`))}.`,
  ];
}

export function requestInWords(span: RequestSpan, kind: Section["axis"]["kind"]): string {
  const what = span.request.slice(0, 1).toUpperCase() + span.request.slice(1);
  const asked = span.prompt.trim() === "" ? "" : ` “${shortenName(span.prompt, 120)}”`;
  const by = span.by === undefined ? "" : ` by ${shortenName(span.by, 40)}`;
  if (span.request === "handoff") return `${what} asked for${asked}.`;
  if (span.answer !== undefined) return `${what}${asked}: answered ${shortenName(spaceWords(span.answer), 60)}${by}${afterOf(span, kind)}.`;
  return span.open ? `${what}${asked}: still open at the end.` : `${what}${asked}: it went on${afterOf(span, kind)}, no answer recorded.`;
}

function outputOf({ output }: Section): readonly string[] {
  if (output.count === 0) return [];
  const left = output.spans?.filter(({ open }) => open).length ?? 0;
  const pieces = output.spans?.reduce((sum: number, { chunks }: OutputSpan) => sum + chunks, 0);
  const inPieces = pieces === undefined || pieces <= output.count ? "" : `, in ${formatCount(pieces, "piece")}`;
  return [
    `${formatCount(output.count, "output")} of ${formatCount(output.characters, "character")}${output.count > 1 ? " in all" : ""}${inPieces}${left === 0 ? "" : `; ${left} never said to be complete`}.`,
  ];
}

function subagentsOf({ subagents }: Section, trace: RecordingTrace): readonly string[] {
  if (subagents.count === 0) return [];
  const atOnce = subagents.atOnce > 1 ? `, ${atOnceInWords(subagents.atOnce)}` : "";
  const head = `${formatCount(subagents.count, "subagent")}${atOnce}`;
  const names = [
    ...new Set((subagents.spans ?? []).map((span) => shortenName(trace.sections[span.section ?? -1]?.agentName ?? span.name, 40))),
  ];
  return [names.length === 0 || names.length > TOLD ? `${head}.` : `${head}: ${formatList(names)}.`];
}

function rulesOf({ violations: { error, warning, info } }: Section): string {
  const total = error + warning + info;
  return total === 0 ? "It breaks no rule." : `It breaks ${total === 1 ? "a rule" : "rules"} at ${formatCount(total, "place")}.`;
}

function lastingOf(span: TraceSpan, kind: Section["axis"]["kind"], word = "for"): string {
  const ms = kind === "order" || span.from.ms === undefined || span.to.ms === undefined ? 0 : span.to.ms - span.from.ms;
  return ms === 0 ? "" : ` ${word} ${formatDuration(ms)}`;
}

function afterOf(span: TraceSpan, kind: Section["axis"]["kind"]): string {
  return lastingOf(span, kind, "after");
}

function quotedSentence(lead: string, text: string): string {
  return `${lead}: “${plainText(text).trim()}”`;
}

/** For example `2026-07-01 09:00:00 UTC`. */
function dateInWords(ms: number): string {
  return `${isoOf(ms).slice(0, 19).replace("T", " ")} UTC`;
}

/** For example `09:00:05`. */
function clockInWords(ms: number): string {
  return isoOf(ms).slice(11, 19);
}

/** Milliseconds from the start of the axis to a moment; undefined if only the order is known. */
export function sinceStart(axis: Axis, { ms }: TraceMoment): number | undefined {
  return axis.kind === "time" && ms !== undefined ? Math.max(0, ms - axis.from) : undefined;
}

/** Invalid timestamps are rejected earlier, but a broken clock's value may still be outside the range of `Date`. */
function isoOf(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? "????-??-??T??:??:??.000Z" : date.toISOString();
}

/** Shortens and sanitizes a foreign name. */
export function shortenName(text: string, longest = 80): string {
  const plain = plainText(text.length > longest ? `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, "")}…` : text);
  return plain.trim() === "" ? "(empty)" : plain;
}
