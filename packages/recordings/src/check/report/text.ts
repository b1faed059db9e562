import type { Severity } from "@earshot/protocol";
import { createStyle, type Style, wrap } from "@earshot/terminal/style";
import type { AcceptedProblem, CheckReport, CoverageReport, FileReport, ReportContext } from "../report.ts";
import {
  checkClosing,
  checkVerdict,
  countedProblems,
  coverageMissing,
  coverageSentence,
  coverageTitle,
  EXPLAIN_HINT,
  excerpt,
  furtherPlaces,
  headline,
  lineList,
  omittedSentence,
  SEVERITY_WORDS,
  timesOf,
} from "./phrases.ts";
import { groupProblems, type ProblemGroup, problemIdOf } from "./problem-groups.ts";

/** Keeps the report short enough to read. The JSON report contains everything. */
const GROUPS_IN_FULL = 20;
const PLACES = 4;
const ACCEPTED = 10;
const NOTES = 20;
const LIMITS = { name: 200, id: 80, pointer: 160, prose: 400, brief: 120 } as const;

interface Writer {
  readonly context: ReportContext;
  readonly style: Style;
}

/**
 * For readers and screen readers: whole sentences in reading order, the severity as a word, no drawings, no overwritten lines. One kind
 * of problem takes a few lines regardless of its number of occurrences.
 */
export function renderCheckText(report: CheckReport, context: ReportContext): string {
  const writer: Writer = { context, style: createStyle(context.colour) };
  const blocks = [
    ...fileBlocks(report, writer),
    ...report.coverage.map((coverage) => coverageBlock(coverage, writer)),
    notesBlock(report.notes, writer, ""),
    closingBlock(report, writer),
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join("\n"))
    .join("\n\n")}\n`;
}

/** Files with only a headline are listed together, one line each. */
function fileBlocks(report: CheckReport, writer: Writer): readonly (readonly string[])[] {
  const blocks: string[][] = [];
  let headlinesOnly: string[] | undefined;
  for (const file of report.files) {
    const head = headlineLines(file, writer);
    const details = detailBlocks(file, writer);
    if (details.length > 0) {
      blocks.push([...head], ...details.map((block) => [...block]));
      headlinesOnly = undefined;
    } else if (headlinesOnly === undefined) {
      headlinesOnly = [...head];
      blocks.push(headlinesOnly);
    } else {
      headlinesOnly.push(...head);
    }
  }
  return blocks;
}

function headlineLines(file: FileReport, { style, context }: Writer): readonly string[] {
  return wrap(`${excerpt(file.file, LIMITS.name)}: ${headline(file)}`, { width: context.width, indent: "" }).map(style.bold);
}

function detailBlocks(file: FileReport, writer: Writer): readonly (readonly string[])[] {
  const groups = groupProblems(file.problems);
  const full = groups.filter(({ severity }) => severity !== "info").slice(0, GROUPS_IN_FULL);
  const brief = groups.filter((group) => !full.includes(group));
  const omitted = omittedSentence(file);
  return [
    ...full.map((group) => fullLines(group, file, writer)),
    brief.flatMap((group) => briefLines(group, file, writer)),
    omitted === "" ? [] : prose(omitted, writer, ""),
    acceptedBlock(file.accepted, writer),
    notesBlock(file.notes, writer, ""),
  ].filter((block) => block.length > 0);
}

/** The first occurrence in full; the others by line number. */
function fullLines(group: ProblemGroup, file: FileReport, writer: Writer): readonly string[] {
  const { first, rest, id, severity, rule } = group;
  const section = rule === undefined ? undefined : writer.context.ruleOf(rule)?.section;
  const often = rest.length === 0 ? "" : `, ${timesOf(group, file)}`;
  const source = section === undefined ? "" : ` (specification: ${excerpt(section, LIMITS.id)})`;
  const place = [
    `${excerpt(file.file, LIMITS.name)}${first.line > 0 ? `:${first.line}` : ""}`,
    ...(first.eventId === undefined ? [] : [`event ${excerpt(first.eventId, LIMITS.id)}`]),
    ...(first.sessionId === undefined ? [] : [`session ${excerpt(first.sessionId, LIMITS.id)}`]),
    ...(first.pointer === undefined || first.pointer === "" ? [] : [`at ${excerpt(first.pointer, LIMITS.pointer)}`]),
    ...(first.since === undefined || first.since === 0 ? [] : [`compare line ${first.since}`]),
  ];
  const further = furtherPlaces(group, file, PLACES);
  return [
    ...headingLines(severity, `${excerpt(id, LIMITS.name)}${often}${source}`, writer),
    ...prose(place.join(", "), writer),
    ...prose(`Found: ${excerpt(first.message, LIMITS.prose)}`, writer),
    ...prose(`To do: ${excerpt(first.hint, LIMITS.prose)}`, writer),
    ...(further === "" ? [] : prose(further, writer)),
  ];
}

function briefLines(group: ProblemGroup, file: FileReport, writer: Writer): readonly string[] {
  const { first, rest, id, severity } = group;
  const where = first.line > 0 ? `, ${rest.length === 0 ? "at" : "first at"} line ${first.line}` : "";
  const often = rest.length === 0 ? "" : `, ${timesOf(group, file)}`;
  return headingLines(severity, `${excerpt(id, LIMITS.name)}${often}${where}: ${excerpt(first.message, LIMITS.brief)}`, writer);
}

/** The severity is colored after wrapping, because escape sequences take no columns. */
function headingLines(severity: Severity, text: string, { style, context }: Writer): readonly string[] {
  const word = SEVERITY_WORDS[severity];
  const paint = { error: style.red, warning: style.yellow, info: style.cyan }[severity];
  const [head = "", ...others] = wrap(`${word}: ${text}`, { width: context.width, indent: "", hanging: "    " });
  return [paint(word) + head.slice(word.length), ...others];
}

function acceptedBlock(accepted: readonly AcceptedProblem[], writer: Writer): readonly string[] {
  if (accepted.length === 0) return [];
  const kinds = new Map<string, AcceptedProblem[]>();
  for (const problem of accepted) {
    const key = JSON.stringify([problemIdOf(problem), problem.reason]);
    const kind = kinds.get(key);
    if (kind === undefined) kinds.set(key, [problem]);
    else kind.push(problem);
  }
  const lines = [...kinds.values()].slice(0, ACCEPTED).flatMap((problems) => {
    const [first] = problems;
    if (first === undefined) return [];
    const at = [...new Set(problems.map(({ line }) => line))].filter((line) => line > 0);
    const where = at.length === 0 ? "" : `, ${lineList(at, PLACES)}`;
    return prose(`${excerpt(problemIdOf(first), LIMITS.name)}${where}: ${excerpt(first.reason, LIMITS.prose)}`, writer);
  });
  const more = kinds.size - ACCEPTED;
  return [
    ...prose(`Accepted by the baseline, not counted: ${countedProblems(accepted.length, "problem")}.`, writer, ""),
    ...lines,
    ...(more > 0 ? prose(`and ${countedProblems(more, "more kind")}.`, writer) : []),
  ];
}

function notesBlock(notes: readonly string[], writer: Writer, indent: string): readonly string[] {
  const more = notes.length - NOTES;
  return [
    ...notes.slice(0, NOTES).flatMap((note) => prose(excerpt(note, LIMITS.prose), writer, indent)),
    ...(more > 0 ? prose(`${countedProblems(more, "more remark")} of this kind.`, writer, indent) : []),
  ];
}

function coverageBlock(coverage: CoverageReport, writer: Writer): readonly string[] {
  const { width } = writer.context;
  const list = (title: string, ids: readonly string[]) =>
    ids.length === 0
      ? []
      : [`  ${title}:`, ...wrap(ids.map((id) => excerpt(shortId(id), LIMITS.name)).join(", "), { width, indent: "    " })];
  return [
    ...wrap(`${excerpt(coverageTitle(coverage), LIMITS.name)}: ${coverageSentence(coverage)}`, { width, indent: "" }).map(
      writer.style.bold,
    ),
    ...list("Never exercised", coverage.notExercised),
    ...list("Only a live drive can decide", coverage.liveOnly),
    ...(coverageMissing(coverage) ? prose("What was never exercised counts against the result.", writer) : []),
  ];
}

/** The heading names the protocol, so clauses omit `aaep/`. */
function shortId(id: string): string {
  return id.slice(id.indexOf("/") + 1);
}

function closingBlock(report: CheckReport, writer: Writer): readonly string[] {
  const { style } = writer;
  const paint = report.ok ? style.green : style.red;
  const anyRule = report.files.some(({ problems }) => problems.some(({ rule }) => rule !== undefined));
  const needsVerdict = report.files.length !== 1 || report.coverage.length > 0;
  return [
    ...(needsVerdict ? prose(checkVerdict(report), writer, "").map(paint) : []),
    ...(anyRule ? prose(`\`${EXPLAIN_HINT.command}\` ${EXPLAIN_HINT.does}`, writer, "") : []),
    ...prose(excerpt(checkClosing(report), LIMITS.prose), writer, ""),
  ];
}

function prose(text: string, { context }: Writer, indent = "  "): readonly string[] {
  return wrap(text, { width: context.width, indent });
}
