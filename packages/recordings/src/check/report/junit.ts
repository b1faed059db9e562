import type { CheckReport, CoverageReport, FileReport, ReportContext } from "../report.ts";
import { EMPTY_MARKUP, type Markup, markup, markupLines } from "./markup.ts";
import {
  checkClosing,
  checkVerdict,
  coverageMissing,
  coverageSentence,
  coverageTitle,
  excerpt,
  furtherPlaces,
  headline,
  omittedSentence,
  SEVERITY_WORDS,
} from "./phrases.ts";
import { groupProblems, type ProblemGroup } from "./problem-groups.ts";

const PLACES = 50;
const MAX_EXCERPT_CHARACTERS = 1_000;

interface TestCase {
  readonly classname: string;
  readonly name: string;
  readonly failure?: { readonly type: string; readonly message: string; readonly lines: readonly string[] };
  readonly output?: readonly string[];
}

interface TestSuite {
  readonly name: string;
  readonly cases: readonly TestCase[];
}

/**
 * JUnit XML, limited to the members that Jenkins (both plugins), GitLab and the common GitHub actions agree on. One suite per file and
 * one test per broken rule. The class name is the file, because GitLab merges tests of equal class and name. The result never passes if
 * `report.ok` is false.
 */
export function renderJunit(report: CheckReport, context: ReportContext): string {
  const suites = [...report.files.map((file) => fileSuite(file, report, context)), ...coverageSuites(report.coverage)];
  const failed = suites.some(({ cases }) => cases.some(({ failure }) => failure !== undefined));
  const all = report.ok || failed ? suites : [...suites, verdictSuite(report)];
  const cases = all.flatMap((suite) => suite.cases);
  const page = markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="earshot check" tests="${cases.length}" failures="${failuresIn(cases)}" errors="0" time="0">
${all.map((suite) => suiteMarkup(suite, report, context))}
</testsuites>
`;
  return page.markup;
}

function fileSuite(file: FileReport, report: CheckReport, context: ReportContext): TestSuite {
  const cases = groupProblems(file.problems).map((group) => groupCase(group, file, { report, context }));
  const name = excerpt(file.file, MAX_EXCERPT_CHARACTERS);
  const broken = cases.some(({ failure }) => failure !== undefined);
  if (broken) return { name, cases };
  const whole = { classname: name, name: "conforms" };
  if (file.ok) return { name, cases: [{ ...whole, output: [headline(file)] }, ...cases] };
  // The problem that fails the file may be among the omitted ones.
  const failure = { type: "EVENT_INVALID", message: headline(file), lines: [headline(file), omittedSentence(file)] };
  return { name, cases: [{ ...whole, failure }, ...cases] };
}

function groupCase(group: ProblemGroup, file: FileReport, { report, context }: { report: CheckReport; context: ReportContext }): TestCase {
  const { first, id, severity, code, rule } = group;
  const fails = severity === "error" || (severity === "warning" && report.strict);
  const title = rule === undefined ? undefined : context.ruleOf(rule)?.title;
  const name = excerpt(file.file, MAX_EXCERPT_CHARACTERS);
  const place = [
    `${name}${first.line > 0 ? `:${first.line}` : ""}`,
    ...(first.eventId === undefined ? [] : [`event ${excerpt(first.eventId, MAX_EXCERPT_CHARACTERS)}`]),
    ...(first.sessionId === undefined ? [] : [`session ${excerpt(first.sessionId, MAX_EXCERPT_CHARACTERS)}`]),
    ...(first.pointer === undefined || first.pointer === "" ? [] : [`at ${excerpt(first.pointer, MAX_EXCERPT_CHARACTERS)}`]),
  ];
  const message = excerpt(first.message, MAX_EXCERPT_CHARACTERS);
  const lines = [
    `${SEVERITY_WORDS[severity]}: ${title ?? id}`,
    place.join(", "),
    `Found: ${message}`,
    `To do: ${excerpt(first.hint, MAX_EXCERPT_CHARACTERS)}`,
    furtherPlaces(group, file, PLACES),
  ].filter((line) => line !== "");
  return {
    classname: name,
    name: excerpt(id, MAX_EXCERPT_CHARACTERS),
    ...(fails ? { failure: { type: code, message, lines } } : { output: lines }),
  };
}

function coverageSuites(coverage: readonly CoverageReport[]): readonly TestSuite[] {
  if (coverage.length === 0) return [];
  const cases = coverage.map((level): TestCase => {
    const lines = [coverageSentence(level), "Never exercised:", ...level.notExercised.map((id) => excerpt(id, MAX_EXCERPT_CHARACTERS))];
    const name = excerpt(coverageTitle(level), MAX_EXCERPT_CHARACTERS);
    const failure = { type: "coverage", message: coverageSentence(level), lines };
    return { classname: "coverage", name, ...(coverageMissing(level) ? { failure } : { output: lines }) };
  });
  return [{ name: "coverage", cases }];
}

function verdictSuite(report: CheckReport): TestSuite {
  const failure = { type: "verdict", message: checkVerdict(report), lines: [checkVerdict(report)] };
  return { name: "earshot check", cases: [{ classname: "earshot check", name: "passes", failure }] };
}

function suiteMarkup({ name, cases }: TestSuite, report: CheckReport, { version }: ReportContext): Markup {
  return markup`  <testsuite name="${name}" tests="${cases.length}" failures="${failuresIn(cases)}" errors="0" skipped="0" time="0">
    <properties>
      <property name="generator" value="earshot ${version}"/>
      <property name="statement" value="${checkClosing(report)}"/>
    </properties>
${cases.map(caseMarkup)}
  </testsuite>`;
}

function caseMarkup({ classname, name, failure, output }: TestCase): Markup {
  const failed =
    failure &&
    markup`
      <failure message="${failure.message}" type="${failure.type}">${markupLines(failure.lines)}</failure>`;
  const printed =
    output &&
    markup`
      <system-out>${markupLines(output)}</system-out>`;
  return markup`    <testcase classname="${classname}" name="${name}" time="0">${failed ?? EMPTY_MARKUP}${printed ?? EMPTY_MARKUP}
    </testcase>`;
}

function failuresIn(cases: readonly TestCase[]): number {
  return cases.filter(({ failure }) => failure !== undefined).length;
}
