import { readAnswer } from "../draw/read-answer.ts";
import { elapsed } from "../draw/ticks.ts";
import type { Lane, OutputSpan, RequestSpan, Section, Span, SubagentSpan, ToolSpan } from "../trace.ts";
import { name } from "../words/name.ts";
import { atOnceInWords, requestInWords, toolInWords } from "../words/tell-section.ts";
import { type Amount, drawAmounts } from "./amount-lane.ts";
import { type Drawn, PLOT } from "./plot.ts";
import { drawSpans, type Look } from "./span-lane.ts";
import { FILLS } from "./svg-style.ts";

/** Bars closer together than this cannot be told apart. */
const APART = 9;

type Rows = Span & { readonly row: number };

/** Bars while they can be told apart, else heights. */
function drawLane<One extends Rows>(
  section: Section,
  y: number,
  lane: Lane<One>,
  { look, amount }: { readonly look: (span: One) => Look; readonly amount: Amount },
): Drawn | undefined {
  if (lane.count === 0) return undefined;
  const { spans } = lane;
  const rows = Math.min(lane.atOnce, 8);
  if (spans === undefined || spans.length > (PLOT / APART) * Math.max(1, rows)) return drawAmounts(section, amount, y);
  const note = rows > 1 || amount.hasUnit === true ? amount.note : "";
  return drawSpans({ title: amount.title, note, spans, look }, section.axis, y);
}

export function drawTools(section: Section, y: number): Drawn | undefined {
  const { tools } = section;
  return drawLane(section, y, tools, {
    look: (span: ToolSpan) => ({
      fill: span.outcome === "failed" || span.outcome === "timeout" || span.outcome === "denied" ? "var(--page)" : FILLS.tool,
      label: name(span.tool, 60),
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

export function drawRequests(section: Section, y: number): Drawn | undefined {
  return drawLane(section, y, section.requests, {
    look: (span: RequestSpan) => ({
      fill: FILLS.waiting,
      label: span.answer === undefined ? span.request : name(span.answer, 40),
      words: requestInWords(span, section.axis.kind),
      sign: ANSWER_SIGNS[readAnswer(span.answer) ?? "other"],
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

export function drawOutput(section: Section, y: number): Drawn | undefined {
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

export function drawSubagents(section: Section, y: number): Drawn | undefined {
  return drawLane(section, y, section.subagents, {
    look: (span: SubagentSpan) => ({
      fill: FILLS.sub,
      label: name(span.name, 60),
      words: `Subagent ${name(span.name)}${span.outcome === undefined ? "" : `, ${name(span.outcome, 40)}`}${lasting(span, section)}`,
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

function lasting({ from, to }: Span, { axis }: Section): string {
  return axis.kind === "time" && from.ms !== undefined && to.ms !== undefined && to.ms > from.ms ? `, ${elapsed(to.ms - from.ms)}` : "";
}
