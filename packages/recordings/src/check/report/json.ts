import { UNSEEN } from "@earshot/terminal/plain-text";
import type { AcceptedProblem, CheckReport, CoverageReport, FileProblem, FileReport, ReportContext } from "../report.ts";
import { checkClosing } from "./phrases.ts";

/**
 * For programs. The members up to `files`, and in a file up to `problems`, are stable; later members may grow. A problem always has the
 * same nine members, with `null` for absent values.
 */
export function renderJson(report: CheckReport, context: ReportContext): string {
  return toTerminalJson({
    ok: report.ok,
    protocol: report.protocol,
    files: report.files.map(toFile),
    catalogue: { version: report.catalogue.version, date: report.catalogue.date },
    strict: report.strict,
    coverage: report.coverage.map(toCoverage),
    notes: report.notes,
    generator: { name: "earshot", version: context.version, statement: checkClosing(report) },
  });
}

function toFile(file: FileReport) {
  return {
    file: file.file,
    ok: file.ok,
    events: file.events,
    sessions: file.sessions,
    problems: file.problems.map(toNineMembers),
    protocol: file.protocol,
    messages: file.messages,
    counts: { error: file.counts.error, warning: file.counts.warning, info: file.counts.info },
    omitted: file.omitted,
    cases: file.cases ?? null,
    accepted: file.accepted.map((problem: AcceptedProblem) => ({ ...toNineMembers(problem), reason: problem.reason })),
    notes: file.notes,
  };
}

function toNineMembers(problem: FileProblem) {
  return {
    severity: problem.severity,
    code: problem.code,
    rule: problem.rule ?? null,
    line: problem.line,
    eventId: problem.eventId ?? null,
    sessionId: problem.sessionId ?? null,
    pointer: problem.pointer ?? null,
    message: problem.message,
    hint: problem.hint,
  };
}

function toCoverage(coverage: CoverageReport) {
  const { protocol, level, levelName, required, exercised, notExercised, liveOnly } = coverage;
  return { protocol, level, levelName, required, exercised, notExercised, liveOnly };
}

const UNSEEN_BUT_LINE_BREAK = new RegExp(`[${UNSEEN}--\\n]`, "gv");

/**
 * JSON for files and terminals. `JSON.stringify` leaves C1 controls and bidirectional overrides unescaped, and a terminal would interpret
 * them. Escapes such as `\u009b` are equivalent for every parser and harmless in a terminal.
 */
export function toTerminalJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replace(UNSEEN_BUT_LINE_BREAK, escaped)}\n`;
}

function escaped(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
