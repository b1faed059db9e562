import type { Severity } from "@earshot/protocol";
import { plainText } from "@earshot/terminal/plain-text";
import type { CheckReport, CoverageReport, FileReport } from "../report.ts";
import type { ProblemGroup } from "./problem-groups.ts";

/** Sentences shared by the terminal report and the page, without untrusted text. */

export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "note" };

const PROTOCOL_LABELS: Readonly<Record<CheckReport["protocol"], string>> = {
  aaep: "AAEP",
  aep: "AEP",
  aop: "AOP",
  mixed: "several protocols",
  none: "no known protocol",
};

export function protocolLabel(protocol: CheckReport["protocol"]): string {
  return PROTOCOL_LABELS[protocol];
}

const FORMAT = new Intl.NumberFormat("en-US");

export function formatThousands(count: number): string {
  return FORMAT.format(count);
}

export function countedProblems(count: number, word: string): string {
  return `${formatThousands(count)} ${word}${count === 1 ? "" : "s"}`;
}

/** `does not conform. 3 errors, 1 warning in 120 events, 4 sessions (AAEP).` */
export function headline(file: FileReport): string {
  const found = (["error", "warning", "info"] as const)
    .filter((severity) => file.counts[severity] > 0)
    .map((severity) => countedProblems(file.counts[severity], SEVERITY_WORDS[severity]));
  const { events, messages, sessions } = file;
  if (file.cases !== undefined) {
    const { total, asExpected } = file.cases;
    const judged = `${formatThousands(asExpected)} of ${countedProblems(total, "case")} judged as expected`;
    return `${fileOutcomeText(file)}. ${judged}, ${countedProblems(events, "event")} (${protocolLabel(file.protocol)}).`;
  }
  if (isVoid(file)) return `${fileOutcomeText(file)}. ${found.length === 0 ? "There is no event in it" : found.join(", ")}.`;
  const reason = !file.ok && file.counts.error === 0 ? ", since warnings count (strict)" : "";
  const extent = [
    countedProblems(events, "event"),
    ...(messages === 0 ? [] : [countedProblems(messages, "other message")]),
    countedProblems(sessions, "session"),
  ];
  return `${fileOutcomeText(file)}${reason}. ${found.length === 0 ? "" : `${found.join(", ")} in `}${extent.join(", ")} (${protocolLabel(file.protocol)}).`;
}

export function fileOutcomeText(file: FileReport): string {
  if (file.cases !== undefined) return file.ok ? "passes" : "does not pass";
  if (file.ok) return "conforms";
  if (isVoid(file)) return "could not be checked";
  return file.counts.error > 0 ? "does not conform" : "does not pass";
}

function isVoid({ events, messages }: FileReport): boolean {
  return events === 0 && messages === 0;
}

export function coverageTitle({ protocol, level, levelName }: CoverageReport): string {
  return `Level ${level} of ${protocolLabel(protocol)} (${levelName})`;
}

export function coverageSentence({ exercised, notExercised, liveOnly }: CoverageReport): string {
  const counts = [`${countedProblems(exercised.length, "clause")} exercised`, `${formatThousands(notExercised.length)} never exercised`];
  return `${[...counts, `${formatThousands(liveOnly.length)} only a live drive can decide`].join(", ")}.`;
}

export function coverageMissing({ required, notExercised }: CoverageReport): boolean {
  return required && notExercised.length > 0;
}

/** Whether the run passed as a whole, and the reason if it did not. */
export function checkVerdict(report: CheckReport): string {
  const missing = report.coverage
    .filter(coverageMissing)
    .map(
      ({ notExercised, protocol, level }) =>
        `${countedProblems(notExercised.length, "clause")} of level ${level} of ${protocolLabel(protocol)} never exercised`,
    );
  return `${report.ok ? "Passed" : "Not passed"}: ${[filesOutcome(report.files), ...missing].join("; ")}.`;
}

function filesOutcome(files: readonly FileReport[]): string {
  const [first, second] = files;
  if (first === undefined) return "no file was checked";
  if (second === undefined) return `the file ${fileOutcomeText(first)}`;
  const passing = files.filter(({ ok }) => ok).length;
  const passes = files.some(({ cases }) => cases !== undefined) ? ["passes", "pass"] : ["conforms", "conform"];
  return `${formatThousands(passing)} of ${countedProblems(files.length, "file")} ${passing === 1 ? passes[0] : passes[1]}`;
}

/** The checker's version, its catalogue, and the limits of the result. */
export function checkClosing({ catalogue, protocol }: CheckReport): string {
  const owner = protocol === "mixed" || protocol === "none" ? "a protocol's own project" : `the ${protocolLabel(protocol)} project`;
  return `Checked by Earshot's own rule catalogue ${catalogue.version} (${catalogue.date}); this is not a certificate of ${owner}.`;
}

export const EXPLAIN_HINT = {
  command: "earshot check explain RULE",
  does: "tells more about a rule and shows an example that passes.",
} as const;

/** `3 times`; empty for one occurrence. The omitted problems may contain more. */
export function timesOf({ rest }: ProblemGroup, { omitted }: FileReport): string {
  return rest.length === 0 ? "" : `${omitted > 0 ? "at least " : ""}${formatThousands(rest.length + 1)} times`;
}

/** `Also at lines 14, 22, 31 and 97 more.` Empty if the first line is the only one. */
export function furtherPlaces({ first, rest }: ProblemGroup, { omitted }: FileReport, shown: number): string {
  if (rest.length === 0) return "";
  const lines = [...new Set(rest.map(({ line }) => line))].filter((line) => line !== first.line && line > 0);
  if (lines.length === 0) return first.line > 0 ? `Also ${countedProblems(rest.length, "more time")} on this line.` : "";
  return `Also at ${lineList(lines, shown, omitted > 0)}.`;
}

/** `line 14`, `lines 14 and 22`, `lines 14, 22 and 97 more` */
export function lineList(lines: readonly number[], shown: number, openEnded = false): string {
  const named = lines.slice(0, shown).map(String);
  const more = lines.length - named.length;
  const parts = more === 0 ? named : [...named, `${openEnded ? "at least " : ""}${formatThousands(more)} more`];
  const last = parts.at(-1) ?? "";
  return parts.length === 1 ? `line ${last}` : `lines ${parts.slice(0, -1).join(", ")} and ${last}`;
}

/** Shown when the list of problems was truncated. */
export function omittedSentence({ omitted }: FileReport): string {
  return omitted === 0 ? "" : `${countedProblems(omitted, "further problem")} ${omitted === 1 ? "is" : "are"} counted but not listed.`;
}

/**
 * Untrusted text, made plain and shortened to about `limit` characters. Long text loses its middle rather than its end, so padding cannot
 * hide the text after it.
 */
export function excerpt(text: string, limit: number): string {
  if (text.length <= limit) return plainText(text);
  const headLength = Math.ceil(limit * 0.7);
  // Avoids cutting between the halves of a surrogate pair.
  const head = text.slice(0, headLength).replace(/[\ud800-\udbff]$/, "");
  const tail = text.slice(headLength - limit).replace(/^[\udc00-\udfff]/, "");
  const left = text.length - head.length - tail.length;
  return `${plainText(head)} … (${countedProblems(left, "character")} left out) … ${plainText(tail)}`;
}
