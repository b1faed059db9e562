import { spaceWords } from "@earshot/narrate";
import { plainText } from "@earshot/terminal/plain-text";
import { SEVERITY_WORDS } from "../../check/report/phrases.ts";
import { coordinateOf } from "../fold/axis.ts";
import type { Axis, RecordingTrace, Section, TraceMoment, TraceSpan } from "../trace.ts";
import { brokenInWords } from "../words/describe-trace.ts";

/** Tasks of one kind per section; a chart with more is unreadable. */
const DRAWN = 40;
const SECTIONS = 12;

/**
 * Renders the trace as a Mermaid Gantt chart: a section for every lane, broken rules as critical milestones. Mermaid has no broken axis,
 * so silences keep their length. If only the order is known, every entry takes one second, and the axis counts entries.
 */
export function renderMermaid(trace: RecordingTrace): string {
  const isTime = trace.sections.every(({ axis }) => axis.kind === "time");
  const lines = [
    "---",
    `title: ${JSON.stringify(words(`Trace of ${trace.title}`, 100))}`,
    "---",
    "gantt",
    `    accTitle: ${words(`Trace of ${trace.title}`, 100)}`,
    `    accDescr: ${words(`${trace.events} events. ${brokenInWords(trace.counts)}`, 300)}`,
    "    dateFormat x",
    `    axisFormat ${isTime ? "%H:%M:%S" : "%s"}`,
    ...trace.sections.slice(0, SECTIONS).flatMap((section) => sectionLines(section, trace, isTime ? "time" : "order")),
  ];
  const left = trace.sections.length - SECTIONS + trace.leftOut.sections;
  return `${lines.join("\n")}\n${left > 0 ? `    %% ${left} more agents are not drawn\n` : ""}`;
}

interface Task {
  readonly label: string;
  readonly tags: string;
  readonly from: number;
  readonly to: number;
}

function sectionLines(section: Section, trace: RecordingTrace, kind: Axis["kind"]): readonly string[] {
  const at = (moment: TraceMoment) =>
    Math.round(kind === "time" ? (coordinateOf("time", moment) ?? section.axis.from) : moment.entry * 1000);
  const task = (label: string, tags: string, span: TraceSpan): Task => ({ label, tags, from: at(span.from), to: at(span.to) });
  const lanes: readonly (readonly [string, readonly Task[] | undefined])[] = [
    ["state", section.state.spans?.map((span) => task(spaceWords(span.word), "", span))],
    [
      "tools",
      section.tools.spans?.map((span) =>
        task(`${span.tool} ${span.outcome ?? ""}`, span.outcome === "failed" || span.outcome === "timeout" ? "active, " : "done, ", span),
      ),
    ],
    ["requests", section.requests.spans?.map((span) => task(`${span.request} ${span.answer ?? "no answer recorded"}`, "", span))],
    ["output", section.output.spans?.map((span) => task(`${span.characters} characters`, "", span))],
    ["subagents", section.subagents.spans?.map((span) => task(span.name, "", span))],
    [
      "rules",
      trace.violations.flatMap((violation) =>
        violation.section === section.index && violation.at !== undefined
          ? [
              {
                label: `${violation.number} ${SEVERITY_WORDS[violation.severity]} ${violation.rule} line ${violation.line}`,
                tags: violation.severity === "error" ? "crit, milestone, " : "milestone, ",
                from: at(violation.at),
                to: at(violation.at),
              },
            ]
          : [],
      ),
    ],
  ];
  // The names are at the side of the chart, where there is little room.
  const who = trace.sections.length > 1 ? `${words(section.agentName ?? (section.agent || section.session || "beside"), 24)} ` : "";
  const drawn = lanes.flatMap(([lane, tasks]) => laneLines(`${who}${lane}`, tasks ?? summed(section, lane, at)));
  if (drawn.length > 0) return drawn;
  return laneLines(`${who}entries`, [
    { label: `${section.events + section.messages} entries`, tags: "", from: at(section.first), to: at(section.last) },
  ]);
}

function laneLines(heading: string, tasks: readonly Task[]): readonly string[] {
  if (tasks.length === 0) return [];
  const shown = tasks.slice(0, DRAWN).map(({ label, tags, from, to }) => `    ${words(label, 90)} :${tags}${from}, ${Math.max(from, to)}`);
  const last = tasks.at(-1);
  const more = tasks.length - DRAWN;
  const rest =
    more > 0 && last !== undefined
      ? [`    and ${more} more :${tasks[DRAWN]?.from ?? last.from}, ${Math.max(...tasks.slice(DRAWN).map(({ to }) => to))}`]
      : [];
  return [`    section ${heading}`, ...shown, ...rest];
}

/** Summarizes a lane with too many spans from its buckets, as stretches with activity. */
function summed(section: Section, lane: string, at: (moment: TraceMoment) => number): readonly Task[] {
  const { buckets } = section;
  const portion = Math.ceil(buckets.length / DRAWN);
  const tasks: Task[] = [];
  for (let start = 0; start < buckets.length; start += portion) {
    const part = buckets.slice(start, start + portion);
    const [first] = part;
    const last = part.at(-1);
    const sum = (of: (bucket: Section["buckets"][number]) => number) => part.reduce((total, bucket) => total + of(bucket), 0);
    const label = {
      state: `${sum(({ events }) => events)} events`,
      tools: `${sum(({ toolsStarted }) => toolsStarted)} tool calls, up to ${Math.max(...part.map(({ tools }) => tools))} at once`,
      requests: `${sum(({ requestsAsked }) => requestsAsked)} requests`,
      output: `${sum(({ characters }) => characters)} characters`,
      subagents: `up to ${Math.max(...part.map(({ subagents }) => subagents))} subagents`,
    }[lane];
    if (first !== undefined && last !== undefined && label !== undefined)
      tasks.push({ label, tags: "", from: at(first.from), to: at(last.to) });
  }
  return tasks;
}

/** Converts a text to a valid Mermaid name: one line without the characters that separate or end a statement, and never empty. */
function words(text: string, longest: number): string {
  const plain = plainText(text.slice(0, longest * 2))
    .replaceAll(/[:;#,%{}[\]<>"'`\\|&]/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  const cut = [...plain].slice(0, longest).join("").trim();
  // Some words at the beginning of a line are Mermaid keywords.
  return cut === ""
    ? "without a name"
    : /^(?:section|title|done|active|crit|milestone|click|todayMarker|tickInterval|weekday|weekend|excludes|includes|axisFormat|dateFormat|inclusiveEndDates|topAxis|gantt|accTitle|accDescr|vert|end)\b/i.test(
          cut,
        )
      ? `the ${cut}`
      : cut;
}
