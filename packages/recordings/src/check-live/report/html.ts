import { ruleOf } from "@earshot/protocol";
import { VERSION } from "@earshot/terminal/version";
import { HTML_STYLE } from "../../check/report/html-style.ts";
import { EMPTY_MARKUP, joinMarkup, type Markup, markup } from "../../check/report/markup.ts";
import { EXPLAIN_HINT, excerpt, SEVERITY_WORDS } from "../../check/report/phrases.ts";
import type { LiveReport, LiveReportFinding, ScenarioOutcome, ScenarioReport } from "../live-report.ts";
import {
  countedScenarios,
  describeDrive,
  describeRuleCoverage,
  hasFindings,
  liveClosing,
  liveVerdict,
  SCENARIO_OUTCOME_WORDS,
} from "./text.ts";

const LIMITS = { name: 300, prose: 2000, id: 200 } as const;
const STYLE: Markup = { markup: HTML_STYLE };
const LOOKS: Readonly<Record<ScenarioOutcome, string>> = { passed: "good", failed: "error", "not-shown": "warning" };

/** One self-contained page: no script, nothing loaded, and a policy that forbids both. */
export function renderLiveHtml(report: LiveReport): string {
  const title = `${report.ok ? "Passed" : "Not passed"}: ${excerpt(report.peer, LIMITS.name)} – Earshot check`;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Earshot ${VERSION}">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#results">Skip to the results</a>
<header>
<h1>Earshot check of a live ${report.role}</h1>
<p class="verdict ${report.ok ? "good" : "error"}">${liveVerdict(report)}</p>
<p><code class="quote">${excerpt(report.peer, LIMITS.name)}</code></p>
<p>${describeDrive(report)}</p>
</header>
<main id="results">
<h2>Scenarios</h2>
${table(report.scenarios)}
${report.scenarios.filter(hasFindings).map(section)}
<h2>Rules</h2>
<p>${describeRuleCoverage(report)}</p>
${list("Not put to the test", report.notShown)}
${list("Put to the test", report.shown)}
</main>
<footer>
<p>${liveClosing(report)}</p>
<p><code>${EXPLAIN_HINT.command}</code> ${EXPLAIN_HINT.does}</p>
<p>Written by Earshot ${VERSION}.</p>
</footer>
</body>
</html>
`.markup;
}

/** Explicit roles, because the narrow layout shows rows as blocks, which would lose them. */
function table(scenarios: readonly ScenarioReport[]): Markup {
  const row = (scenario: ScenarioReport) => {
    const { name, title, level, outcome } = scenario;
    const named = hasFindings(scenario) ? markup`<a href="#scenario-${name}">${name}</a>` : markup`${name}`;
    return markup`<tr role="row">
<th role="rowheader" scope="row">${named}</th>
<td role="cell" data-label="Outcome">${badge(outcome)}</td>
<td role="cell" class="number" data-label="Level">${level}</td>
<td role="cell" data-label="Shows">${title}</td>
</tr>`;
  };
  const header = (name: string, kind = "words") => markup`<th role="columnheader" scope="col" class="${kind}">${name}</th>`;
  return markup`<table role="table">
<caption role="caption">What the peer was brought to do</caption>
<thead role="rowgroup"><tr role="row">${[header("Scenario"), header("Outcome"), header("Level", "number"), header("Shows")]}</tr></thead>
<tbody role="rowgroup">
${scenarios.map(row)}
</tbody>
</table>`;
}

function section({ name, title, outcome, reason, findings }: ScenarioReport): Markup {
  return markup`<section aria-labelledby="scenario-${name}">
<h2 id="scenario-${name}">${badge(outcome)} ${name}</h2>
<p>${title}</p>
${reason === undefined ? EMPTY_MARKUP : markup`<p>Not shown: ${quoted(reason)}</p>`}
${findings.map(article)}
</section>`;
}

function article({ severity, rule, section: clause, message, hint, eventId, sessionId, pointer }: LiveReportFinding): Markup {
  const entry = (term: string, description: Markup) => markup`<dt>${term}</dt><dd>${description}</dd>`;
  const id = (text: string) => markup`<code class="id">${excerpt(text, LIMITS.id)}</code>`;
  return markup`<article class="finding">
<h3><span class="badge ${severity}">${SEVERITY_WORDS[severity]}</span> <code class="id">${rule}</code></h3>
<p class="title">${quoted(ruleOf(rule)?.title ?? "")}</p>
<dl>
${entry("Found", quoted(message))}
${entry("To do", quoted(hint))}
${eventId === undefined ? EMPTY_MARKUP : entry("Event", id(eventId))}
${sessionId === undefined ? EMPTY_MARKUP : entry("Session", id(sessionId))}
${pointer === undefined || pointer === "" ? EMPTY_MARKUP : entry("Pointer", id(pointer))}
${entry("Specification", quoted(clause))}
</dl>
</article>`;
}

function list(title: string, rules: readonly string[]): Markup {
  if (rules.length === 0) return EMPTY_MARKUP;
  return markup`<details>
<summary>${title}: ${countedScenarios(rules.length, "rule")}</summary>
<ul>
${rules.map((id) => markup`<li><code class="id">${id}</code> ${quoted(ruleOf(id)?.title ?? "")}</li>`)}
</ul>
</details>`;
}

function badge(outcome: ScenarioOutcome): Markup {
  return markup`<span class="badge ${LOOKS[outcome]}">${SCENARIO_OUTCOME_WORDS[outcome]}</span>`;
}

/** Foreign text, isolated so that it cannot reorder its surroundings. Text in backticks is a name. */
function quoted(text: string): Markup {
  const parts = excerpt(text, LIMITS.prose)
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 0 ? markup`${part}` : markup`<code>${part}</code>`));
  return markup`<span class="quote" dir="auto">${joinMarkup(parts)}</span>`;
}
