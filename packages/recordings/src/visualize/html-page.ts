import { formatCount, formatNumber, formatState } from "@earshot/narrate";
import type { Rule } from "@earshot/protocol";
import { isolateText } from "../check/report/html.ts";
import { HTML_STYLE } from "../check/report/html-style.ts";
import { EMPTY_MARKUP, joinMarkup, type Markup, markup } from "../check/report/markup.ts";
import { excerpt, SEVERITY_WORDS } from "../check/report/phrases.ts";
import { formatElapsed } from "./draw/ticks.ts";
import { drawPicture } from "./svg/svg.ts";
import type { RecordingTrace, Section, TraceSpan, Violation } from "./trace.ts";
import { shortenName, sinceStart } from "./words/describe-section.ts";
import { describeTrace, type SectionStory } from "./words/describe-trace.ts";

export interface PageContext {
  readonly ruleOf: (id: string) => Rule | undefined;
  /** The Earshot version. */
  readonly version: string;
}

const STYLE: Markup = {
  markup: `${HTML_STYLE}
.picture { margin: 1rem 0; overflow-x: auto; border: 1px solid var(--line); border-radius: 0.6rem; }
.picture svg { min-width: 48rem; }
.wide { max-width: 80rem; }
.part { margin-inline-start: 0; }
.picture:focus-visible { outline: 0.2rem solid var(--link); outline-offset: 0.2rem; }
@media print { .picture { overflow: visible; border: 0; } .picture svg { min-width: 0; } section { break-inside: avoid-page; } details::details-content { content-visibility: visible; height: auto; } }
`,
};

/**
 * One self-contained page to send or keep: no script, no external resources, and a content security policy that forbids both. The picture
 * comes first; sentences and tables below repeat its whole content in the same order.
 */
export function renderTracePage(trace: RecordingTrace, { version, ruleOf }: PageContext): string {
  const story = describeTrace(trace);
  const isClean = trace.counts.error + trace.counts.warning + trace.counts.info === 0;
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Earshot ${version}">
<title>${story.title} – Earshot</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#words">Skip to the trace in words</a>
<header class="wide">
<h1>${story.title}</h1>
<p class="verdict ${isClean ? "good" : trace.counts.error > 0 ? "error" : "warning"}">${story.overview.join(" ")}</p>
</header>
<main class="wide">
<figure class="picture" tabindex="0" aria-label="The trace as a picture. The text below says the same.">
${drawPicture(trace, { isStandalone: false })}
</figure>
${violationTable(trace, ruleOf)}
<h2 id="words">In words</h2>
${story.sections.map((part) => partOf(part))}
${story.rest.map((line) => markup`<p>${line}</p>`)}
${ruleSection(trace, ruleOf)}
</main>
<footer class="wide">
<p>Violations are found by the rules of <code>earshot check</code>. <code>earshot check explain RULE</code> explains a rule.</p>
<p>Written by Earshot ${version}.</p>
</footer>
</body>
</html>
`;
  return page.markup;
}

function partOf({ section, heading, sentences }: SectionStory): Markup {
  return markup`<section class="part" aria-labelledby="part-${section.index + 1}">
<h3 id="part-${section.index + 1}">${heading}</h3>
<ul>
${sentences.map((sentence) => markup`<li>${sentence}</li>`)}
</ul>
${eventTable(section)}
</section>`;
}

function violationTable(trace: RecordingTrace, ruleOf: PageContext["ruleOf"]): Markup {
  if (trace.violations.length === 0) return EMPTY_MARKUP;
  const headers = ["Number", "Kind", "Rule", "Where", "When", "Found", "To do"];
  return markup`<h2 id="rules">What is marked</h2>
<table role="table" aria-labelledby="rules-caption">
<caption id="rules-caption">Each is marked in the picture under its number, at the event that breaks the rule</caption>
<thead role="rowgroup"><tr role="row">${headers.map((header) => markup`<th role="columnheader" scope="col">${header}</th>`)}</tr></thead>
<tbody role="rowgroup">
${trace.violations.map((violation) => violationRow(violation, trace, ruleOf))}
</tbody>
</table>`;
}

function violationRow(violation: Violation, trace: RecordingTrace, ruleOf: PageContext["ruleOf"]): Markup {
  const { number, severity, rule, message, hint, line, type, section } = violation;
  const agent = section === undefined ? undefined : trace.sections[section];
  const moment = agent === undefined || violation.at === undefined ? undefined : sinceStart(agent.axis, violation.at);
  const where = line > 0 ? `Line ${line}` : "Whole recording";
  const what = type === undefined ? EMPTY_MARKUP : markup` <span class="quiet">${breakable(excerpt(type, 80))}</span>`;
  return markup`<tr role="row" id="rule-${number}">
<th role="rowheader" scope="row">${number}</th>
<td role="cell" data-label="Kind"><span class="badge ${severity}">${SEVERITY_WORDS[severity]}</span></td>
<td role="cell" data-label="Rule">${ruleLink(rule, ruleOf)}</td>
<td role="cell" data-label="Where">${section === undefined ? markup`${where}` : markup`<a href="#part-${section + 1}">${where}</a>`}${what}</td>
<td role="cell" data-label="When">${moment === undefined ? EMPTY_MARKUP : markup`${formatElapsed(moment)}`}</td>
<td role="cell" data-label="Found">${isolateText(message, 400)}</td>
<td role="cell" data-label="To do">${isolateText(hint, 400)}</td>
</tr>`;
}

/** Allows a line break in a dotted name only after a dot. */
function breakable(type: string): Markup {
  return joinMarkup(type.split(".").map((part, index) => (index === 0 ? markup`${part}` : markup`.<wbr>${part}`)));
}

type RuleOf = (id: string) => Rule | undefined;

/** Links to the rule's explanation on the page; a problem that breaks no rule has a code, shown without a link. */
function ruleLink(id: string, ruleOf: RuleOf): Markup {
  return ruleOf(id) === undefined ? markup`<code class="id">${id}</code>` : markup`<a href="#${anchorOf(id)}"><code>${id}</code></a>`;
}

/** Lists every broken rule once: its title, the remedy and the specification section. */
function ruleSection({ violations }: RecordingTrace, ruleOf: RuleOf): Markup {
  const rules = [...new Set(violations.map(({ rule }) => rule))].sort().flatMap((id) => {
    const rule = ruleOf(id);
    return rule === undefined ? [] : [{ id, rule }];
  });
  if (rules.length === 0) return EMPTY_MARKUP;
  return markup`<h2>What the rules say</h2>
${rules.map(({ id, rule }) => ruleMarkup(id, rule))}`;
}

function ruleMarkup(id: string, { title, section, hint }: Rule): Markup {
  return markup`<section class="finding" aria-labelledby="${anchorOf(id)}">
<h3 id="${anchorOf(id)}"><code class="id">${id}</code></h3>
<p class="title">${isolateText(title, 400)}</p>
<dl>
<dt>To do</dt><dd>${isolateText(hint, 400)}</dd>
<dt>Specification</dt><dd>${section}</dd>
<dt>More</dt><dd><code>earshot check explain ${id}</code></dd>
</dl>
</section>`;
}

/** Rule ids are our own: letters, hyphens and a slash. */
function anchorOf(id: string): string {
  return `about-${id.replace("/", "-")}`;
}

/** Maximum table rows; a longer page would load too slowly. */
const ROWS = 400;

interface Row {
  readonly span: TraceSpan;
  readonly lane: string;
  readonly what: string;
  readonly outcome: string;
}

/** Lists every bar of the picture as a row, in order of beginning. Lanes drawn as heights have no bars to list. */
function eventTable(section: Section): Markup {
  const rows = rowsOf(section).sort((a, b) => a.span.from.entry - b.span.from.entry);
  const more = rows.length - ROWS;
  const summed = ["state", "tools", "requests", "output", "subagents"].filter(
    (lane) => section[lane as "state" | "tools" | "requests" | "output" | "subagents"].spans === undefined,
  );
  const note = summed.length === 0 ? "" : ` Too many to list one by one: ${summed.join(", ")}.`;
  if (rows.length === 0) return note === "" ? EMPTY_MARKUP : markup`<p>${note.trim()}</p>`;
  return markup`<details>
<summary>${formatCount(rows.length, "bar")} of the picture as a table</summary>
<table role="table" aria-labelledby="bars-${section.index + 1}">
<caption id="bars-${section.index + 1}">What the lanes show${more > 0 ? `, the first ${formatNumber(ROWS)} of ${formatNumber(rows.length)}` : ""}.${note}</caption>
<thead role="rowgroup"><tr role="row">${["Line", "Lane", "What", "From", "Lasting", "Outcome"].map((header) => markup`<th role="columnheader" scope="col">${header}</th>`)}</tr></thead>
<tbody role="rowgroup">
${rows.slice(0, ROWS).map((row) => rowMarkup(row, section))}
</tbody>
</table>
</details>`;
}

function rowMarkup({ span, lane, what, outcome }: Row, { axis }: Section): Markup {
  const from = sinceStart(axis, span.from);
  const lasting =
    axis.kind === "time" && span.from.ms !== undefined && span.to.ms !== undefined ? formatElapsed(span.to.ms - span.from.ms) : "";
  return markup`<tr role="row">
<th role="rowheader" scope="row">${span.from.line}</th>
<td role="cell" data-label="Lane">${lane}</td>
<td role="cell" data-label="What"><span class="quote" dir="auto">${what}</span></td>
<td role="cell" data-label="From">${from === undefined ? "" : formatElapsed(from)}</td>
<td role="cell" data-label="Lasting">${lasting}</td>
<td role="cell" data-label="Outcome">${span.open ? "no end recorded" : outcome}</td>
</tr>`;
}

function rowsOf({ state, tools, requests, output, subagents }: Section): Row[] {
  return [
    ...(state.spans ?? []).map((span) => ({ span, lane: "State", what: shortenName(formatState(span.word)), outcome: "" })),
    ...(tools.spans ?? []).map((span) => ({ span, lane: "Tool", what: shortenName(span.tool), outcome: span.outcome ?? "" })),
    ...(requests.spans ?? []).map((span) => ({
      span,
      lane: "Request",
      what: `${span.request}${span.prompt === "" ? "" : `: ${shortenName(span.prompt, 120)}`}`,
      outcome: span.answer === undefined ? "no answer recorded" : shortenName(span.answer),
    })),
    ...(output.spans ?? []).map((span) => ({ span, lane: "Output", what: formatCount(span.characters, "character"), outcome: "complete" })),
    ...(subagents.spans ?? []).map((span) => ({
      span,
      lane: "Subagent",
      what: shortenName(span.name),
      outcome: shortenName(span.outcome ?? "ended", 40),
    })),
  ];
}
