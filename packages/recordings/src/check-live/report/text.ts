import { createStyle, type Style, wrap } from "@earshot/terminal/style";
import { excerpt, SEVERITY_WORDS } from "../../check/report/phrases.ts";
import type { LiveReport, LiveReportFinding, ScenarioOutcome, ScenarioReport } from "../live-report.ts";

export interface TextOptions {
  readonly colour: boolean;
  /** Columns to fill; 0 without a terminal. */
  readonly width: number;
}

const LIMITS = { name: 200, prose: 400, id: 80 } as const;
const INDENT = "    ";

/** For people who read or listen: a line per scenario with its outcome in words, and its findings below. */
export function renderLiveText(report: LiveReport, { colour, width }: TextOptions): string {
  const style = createStyle(colour);
  const prose = (text: string, indent = "") => wrap(text, { width, indent });
  const lines = [
    ...prose(excerpt(report.peer, LIMITS.name)).map(style.bold),
    ...prose(describeDrive(report)),
    "",
    ...report.scenarios.flatMap((scenario) => scenarioLines(scenario, style, prose)),
    "",
    ...prose(describeRuleCoverage(report)),
    ...prose(liveVerdict(report)).map(style.bold),
    ...prose(liveClosing(report)),
  ];
  return `${lines.join("\n")}\n`;
}

type Prose = (text: string, indent?: string) => readonly string[];

function scenarioLines({ name, title, outcome, reason, findings }: ScenarioReport, style: Style, prose: Prose): readonly string[] {
  const word = coloured(outcome, style);
  const [first = "", ...rest] = prose(`${SCENARIO_OUTCOME_WORDS[outcome]}: ${name}. ${title}`);
  return [
    first.replace(SCENARIO_OUTCOME_WORDS[outcome], word),
    ...rest,
    ...(reason === undefined ? [] : prose(`Not shown: ${excerpt(reason, LIMITS.prose)}`, INDENT)),
    ...findings.flatMap((finding) => findingLines(finding, prose)),
  ];
}

function findingLines({ severity, rule, section, message, hint, eventId, sessionId }: LiveReportFinding, prose: Prose): readonly string[] {
  const place = [
    ...(eventId === undefined ? [] : [`event ${excerpt(eventId, LIMITS.id)}`]),
    ...(sessionId === undefined ? [] : [`session ${excerpt(sessionId, LIMITS.id)}`]),
  ];
  return [
    ...prose(`${SEVERITY_WORDS[severity]}: ${rule} (specification: ${section})`, INDENT),
    ...prose(`Found: ${excerpt(message, LIMITS.prose)}${place.length === 0 ? "" : ` (${place.join(", ")})`}`, INDENT + INDENT),
    ...prose(`To do: ${excerpt(hint, LIMITS.prose)}`, INDENT + INDENT),
  ];
}

function coloured(outcome: ScenarioOutcome, style: Style): string {
  const colour = outcome === "passed" ? style.green : outcome === "failed" ? style.red : style.yellow;
  return colour(SCENARIO_OUTCOME_WORDS[outcome]);
}

/** Sentences shared by the terminal report and the page, without untrusted text. */

export const SCENARIO_OUTCOME_WORDS: Readonly<Record<ScenarioOutcome, string>> = {
  passed: "passed",
  failed: "failed",
  "not-shown": "not shown",
};

export function countedScenarios(count: number, word: string): string {
  return `${count.toLocaleString("en-US")} ${word}${count === 1 ? "" : "s"}`;
}

export function countOf(report: LiveReport, outcome: ScenarioOutcome): number {
  return report.scenarios.filter((scenario) => scenario.outcome === outcome).length;
}

/** `Not passed: 3 of 33 scenarios failed, 2 were not shown.` */
export function liveVerdict(report: LiveReport): string {
  const failed = countOf(report, "failed");
  const missing = countOf(report, "not-shown");
  const parts = [
    failed === 0
      ? `none of ${countedScenarios(report.scenarios.length, "scenario")} failed`
      : `${failed} of ${countedScenarios(report.scenarios.length, "scenario")} failed`,
    ...(missing === 0 ? [] : [`${missing} ${missing === 1 ? "was" : "were"} not shown${report.requiresAll ? ", which counts" : ""}`]),
  ];
  return `${report.ok ? "Passed" : "Not passed"}: ${parts.join(", ")}.`;
}

export function describeDrive(report: LiveReport): string {
  const heard = `${countedScenarios(report.events, "event")} in ${(report.durationMs / 1000).toFixed(1)} s`;
  return `Level ${report.level} of AAEP (${report.levelName}), as a ${report.role}, over ${report.transport}. ${heard}.`;
}

export function describeRuleCoverage(report: LiveReport): string {
  return `${countedScenarios(report.shown.length, "rule")} of this level put to the test, ${report.notShown.length} not.`;
}

/** The checker's version, its catalogue, and the limits of the result. */
export function liveClosing({ catalogue }: LiveReport): string {
  return `Driven by Earshot's own scenarios and judged by its rule catalogue ${catalogue.version} (${catalogue.date}); this is not a certificate of the AAEP project, and not its conformance suite.`;
}

export function hasFindings({ outcome, findings }: ScenarioReport): boolean {
  return outcome !== "passed" || findings.length > 0;
}
