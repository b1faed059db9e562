import type { Severity } from "@earshot/protocol";
import type { AcceptedProblem, CheckReport, CoverageReport, FileProblem, FileReport, ReportContext } from "../report.ts";
import { HTML_STYLE } from "./html-style.ts";
import { EMPTY_MARKUP, joinMarkup, type Markup, markup } from "./markup.ts";
import {
  checkClosing,
  checkVerdict,
  countedProblems,
  coverageMissing,
  coverageSentence,
  coverageTitle,
  EXPLAIN_HINT,
  excerpt,
  fileOutcomeText,
  formatThousands,
  headline,
  omittedSentence,
  protocolLabel,
  SEVERITY_WORDS,
  timesOf,
} from "./phrases.ts";
import { groupProblems, type ProblemGroup, problemIdOf } from "./problem-groups.ts";

/** Keeps the page short enough to load. The JSON report contains everything. */
const ROWS = 100;
const LIMITS = { name: 300, id: 200, prose: 2_000, cell: 300 } as const;
const BADGES: Readonly<Record<Severity, Markup>> = { error: badge("error"), warning: badge("warning"), info: badge("info") };
const STYLE: Markup = { markup: HTML_STYLE };

/**
 * A self-contained page without scripts or external resources, and with a policy that forbids both. Tables have explicit roles, because
 * the narrow layout displays their rows as blocks, which removes the implicit ones.
 */
export function renderCheckHtml(report: CheckReport, context: ReportContext): string {
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Earshot ${context.version}">
<title>${pageTitle(report)}</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#results">Skip to the results</a>
<header>
<h1>Earshot check report</h1>
<p class="verdict ${report.ok ? "good" : "error"}">${checkVerdict(report)}</p>
</header>
<main id="results">
<h2>Summary</h2>
${summaryTable(report.files)}
${report.notes.map((note) => markup`<p>${excerpt(note, LIMITS.prose)}</p>`)}
${report.files.map((file, index) => fileSection(file, index, context))}
${report.coverage.map((coverage, index) => coverageSection(coverage, index, context))}
</main>
<footer>
<p>${checkClosing(report)}</p>
${anyRule(report) ? markup`<p><code>${EXPLAIN_HINT.command}</code> ${EXPLAIN_HINT.does}</p>` : EMPTY_MARKUP}
<p>Written by Earshot ${context.version}.</p>
</footer>
</body>
</html>
`;
  return page.markup;
}

function pageTitle(report: CheckReport): string {
  const [only, another] = report.files;
  const about =
    only !== undefined && another === undefined ? excerpt(only.file, LIMITS.name) : countedProblems(report.files.length, "file");
  return `${report.ok ? "Passed" : "Not passed"}: ${about} – Earshot check`;
}

function anyRule(report: CheckReport): boolean {
  return report.files.some(({ problems }) => problems.some(({ rule }) => rule !== undefined));
}

function summaryTable(files: readonly FileReport[]): Markup {
  const row = (file: FileReport, index: number) => {
    const name = markup`<code class="quote">${excerpt(file.file, LIMITS.name)}</code>`;
    return markup`<tr role="row">
<th role="rowheader" scope="row">${isClean(file) ? name : markup`<a href="#file-${index + 1}">${name}</a>`}</th>
<td role="cell" data-label="Result"><span class="badge ${file.ok ? "good" : "error"}">${fileOutcomeText(file)}</span></td>
<td role="cell" data-label="Protocol">${protocolLabel(file.protocol)}</td>
<td role="cell" class="number" data-label="Events">${formatThousands(file.events)}</td>
<td role="cell" class="number" data-label="Sessions">${formatThousands(file.sessions)}</td>
<td role="cell" class="number" data-label="Errors">${formatThousands(file.counts.error)}</td>
<td role="cell" class="number" data-label="Warnings">${formatThousands(file.counts.warning)}</td>
<td role="cell" class="number" data-label="Notes">${formatThousands(file.counts.info)}</td>
</tr>`;
  };
  const numbers = ["Events", "Sessions", "Errors", "Warnings", "Notes"];
  return markup`<table role="table">
<caption role="caption">Files checked</caption>
<thead role="rowgroup"><tr role="row">${["File", "Result", "Protocol"].map((name) => columnHeader(name))}
${numbers.map((name) => columnHeader(name, "number"))}</tr></thead>
<tbody role="rowgroup">
${files.map(row)}
</tbody>
</table>`;
}

function columnHeader(name: string, kind = "words"): Markup {
  return markup`<th role="columnheader" scope="col" class="${kind}">${name}</th>`;
}

/** A clean file has its row in the summary and no further section. */
function isClean(file: FileReport): boolean {
  return file.problems.length + file.omitted + file.accepted.length + file.notes.length === 0;
}

function fileSection(file: FileReport, index: number, context: ReportContext): Markup {
  if (isClean(file)) return EMPTY_MARKUP;
  const name = excerpt(file.file, LIMITS.name);
  return markup`<section aria-labelledby="file-${index + 1}">
<h2 id="file-${index + 1}"><code class="quote">${name}</code></h2>
<p>${capitalised(headline(file))}</p>
${groupProblems(file.problems).map((group) => finding(group, file, context))}
${[omittedSentence(file), ...file.notes].filter((note) => note !== "").map((note) => markup`<p>${excerpt(note, LIMITS.prose)}</p>`)}
${acceptedTable(file.accepted)}
</section>`;
}

function finding(group: ProblemGroup, file: FileReport, { ruleOf, kindOf }: ReportContext): Markup {
  const { first, rest, id, severity, rule: ruleId, code } = group;
  const rule = ruleId === undefined ? undefined : ruleOf(ruleId);
  const title = rule?.title ?? kindOf?.(code)?.title;
  const often = rest.length === 0 ? [] : [markup`<span class="quiet">${timesOf(group, file)}</span>`];
  return markup`<article class="finding">
<h3>${BADGES[severity]} <code class="id">${excerpt(id, LIMITS.name)}</code> ${often}</h3>
${title === undefined ? EMPTY_MARKUP : markup`<p class="title">${isolateText(title, LIMITS.prose)}</p>`}
<dl>
${entry("Found", isolateText(first.message, LIMITS.prose))}
${entry("To do", isolateText(first.hint, LIMITS.prose))}
${entry("Place", markup`<code class="id">${excerpt(file.file, LIMITS.name)}${first.line > 0 ? `:${first.line}` : ""}</code>`)}
${first.pointer === undefined || first.pointer === "" ? EMPTY_MARKUP : entry("Pointer", identifier(first.pointer))}
${first.eventId === undefined ? EMPTY_MARKUP : entry("Event", identifier(first.eventId))}
${first.sessionId === undefined ? EMPTY_MARKUP : entry("Session", identifier(first.sessionId))}
${first.since === undefined || first.since < 1 ? EMPTY_MARKUP : entry("Compare", markup`line ${first.since}`)}
${rule === undefined ? EMPTY_MARKUP : entry("Specification", isolateText(rule.section, LIMITS.cell))}
</dl>
${furtherTable(rest, id)}
</article>`;
}

function furtherTable(rest: readonly FileProblem[], id: string): Markup {
  if (rest.length === 0) return EMPTY_MARKUP;
  const more = rest.length - ROWS;
  const row = (problem: FileProblem) => markup`<tr role="row">
<th role="rowheader" scope="row">${lineLabel(problem)}</th>
<td role="cell" data-label="Event">${problem.eventId === undefined ? EMPTY_MARKUP : identifier(problem.eventId)}</td>
<td role="cell" data-label="Session">${problem.sessionId === undefined ? EMPTY_MARKUP : identifier(problem.sessionId)}</td>
<td role="cell" data-label="Pointer">${problem.pointer === undefined || problem.pointer === "" ? EMPTY_MARKUP : identifier(problem.pointer)}</td>
<td role="cell" data-label="Found">${isolateText(problem.message, LIMITS.cell)}</td>
</tr>`;
  return markup`<details>
<summary>${countedProblems(rest.length, "further place")}</summary>
<table role="table">
<caption role="caption">Further places of ${excerpt(id, LIMITS.name)}${more > 0 ? `, the first ${ROWS} of ${formatThousands(rest.length)}` : ""}</caption>
<thead role="rowgroup"><tr role="row">${["Line", "Event", "Session", "Pointer", "Found"].map((name) => columnHeader(name))}</tr></thead>
<tbody role="rowgroup">
${rest.slice(0, ROWS).map(row)}
</tbody>
</table>
</details>`;
}

function acceptedTable(accepted: readonly AcceptedProblem[]): Markup {
  if (accepted.length === 0) return EMPTY_MARKUP;
  const more = accepted.length - ROWS;
  const row = (problem: AcceptedProblem) => markup`<tr role="row">
<th role="rowheader" scope="row">${lineLabel(problem)}</th>
<td role="cell" data-label="Rule">${identifier(problemIdOf(problem))}</td>
<td role="cell" data-label="Found">${isolateText(problem.message, LIMITS.cell)}</td>
<td role="cell" data-label="Reason">${isolateText(problem.reason, LIMITS.cell)}</td>
</tr>`;
  return markup`<details>
<summary>${countedProblems(accepted.length, "problem")} accepted by the baseline</summary>
<table role="table">
<caption role="caption">Accepted by the baseline, not counted${more > 0 ? `, the first ${ROWS} of ${formatThousands(accepted.length)}` : ""}</caption>
<thead role="rowgroup"><tr role="row">${["Line", "Rule", "Found", "Reason"].map((name) => columnHeader(name))}</tr></thead>
<tbody role="rowgroup">
${accepted.slice(0, ROWS).map(row)}
</tbody>
</table>
</details>`;
}

function coverageSection(coverage: CoverageReport, index: number, { ruleOf }: ReportContext): Markup {
  const item = (id: string) => {
    const title = ruleOf(id)?.title;
    return markup`<li>${identifier(id)}${title === undefined ? EMPTY_MARKUP : markup` ${isolateText(title, LIMITS.cell)}`}</li>`;
  };
  const list = (title: string, ids: readonly string[]) =>
    ids.length === 0
      ? EMPTY_MARKUP
      : markup`<details>
<summary>${title}: ${countedProblems(ids.length, "clause")}</summary>
<ul>
${ids.map(item)}
</ul>
</details>`;
  return markup`<section aria-labelledby="coverage-${index + 1}">
<h2 id="coverage-${index + 1}">${excerpt(coverageTitle(coverage), LIMITS.name)}</h2>
<p>${coverageSentence(coverage)}${coverageMissing(coverage) ? " What was never exercised counts against the result." : ""}</p>
${list("Never exercised", coverage.notExercised)}
${list("Only a live drive can decide", coverage.liveOnly)}
${list("Exercised", coverage.exercised)}
</section>`;
}

function badge(severity: Severity): Markup {
  return markup`<span class="badge ${severity}">${SEVERITY_WORDS[severity]}</span>`;
}

function entry(term: string, description: Markup): Markup {
  return markup`<dt>${term}</dt><dd>${description}</dd>`;
}

/** One click selects the whole identifier, so it can be copied without a script. */
function identifier(id: string): Markup {
  return markup`<code class="id">${excerpt(id, LIMITS.id)}</code>`;
}

/**
 * Isolates text from recordings, so right-to-left text does not reorder its surroundings. Text between backticks is a protocol name and
 * is rendered as code.
 */
export function isolateText(text: string, limit: number): Markup {
  const parts = excerpt(text, limit)
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 0 ? markup`${part}` : markup`<code>${part}</code>`));
  return markup`<span class="quote" dir="auto">${joinMarkup(parts)}</span>`;
}

function lineLabel({ line }: FileProblem): string {
  return line > 0 ? `Line ${line}` : "Whole file";
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
