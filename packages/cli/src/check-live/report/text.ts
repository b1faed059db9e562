import { excerpt } from "../../check/report/excerpt.ts";
import { SEVERITY_WORDS } from "../../check/report/phrases.ts";
import { createStyle, type Style } from "../../terminal/style.ts";
import { wrap } from "../../terminal/wrap.ts";
import type { LiveFinding } from "../live-finding.ts";
import type { LiveReport, Outcome, ScenarioReport } from "../live-report.ts";
import { about, closing, coverage, OUTCOME_WORDS, verdict } from "./sentences.ts";

export interface TextOptions {
  readonly colour: boolean;
  /** Columns to fill; 0 when there is no terminal to fit. */
  readonly width: number;
}

const LIMITS = { name: 200, prose: 400, id: 80 } as const;
const INDENT = "    ";

/** For people, whether they look or listen: a line per scenario, the outcome as a word, and below it what was found. */
export function renderLiveText(report: LiveReport, { colour, width }: TextOptions): string {
  const style = createStyle(colour);
  const prose = (text: string, indent = "") => wrap(text, { width, indent });
  const lines = [
    ...prose(excerpt(report.peer, LIMITS.name)).map(style.bold),
    ...prose(about(report)),
    "",
    ...report.scenarios.flatMap((scenario) => scenarioLines(scenario, style, prose)),
    "",
    ...prose(coverage(report)),
    ...prose(verdict(report)).map(style.bold),
    ...prose(closing(report)),
  ];
  return `${lines.join("\n")}\n`;
}

type Prose = (text: string, indent?: string) => readonly string[];

function scenarioLines({ name, title, outcome, reason, findings }: ScenarioReport, style: Style, prose: Prose): readonly string[] {
  const word = coloured(outcome, style);
  const [first = "", ...rest] = prose(`${OUTCOME_WORDS[outcome]}: ${name}. ${title}`);
  return [
    first.replace(OUTCOME_WORDS[outcome], word),
    ...rest,
    ...(reason === undefined ? [] : prose(`Not shown: ${excerpt(reason, LIMITS.prose)}`, INDENT)),
    ...findings.flatMap((finding) => findingLines(finding, prose)),
  ];
}

function findingLines({ severity, rule, section, message, hint, eventId, sessionId }: LiveFinding, prose: Prose): readonly string[] {
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

function coloured(outcome: Outcome, style: Style): string {
  const colour = outcome === "passed" ? style.green : outcome === "failed" ? style.red : style.yellow;
  return colour(OUTCOME_WORDS[outcome]);
}
