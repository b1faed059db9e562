import { capitalize, formatCount } from "@earshot/narrate";
import { HTML_STYLE } from "../../check/report/html-style.ts";
import { type Markup, markup, NOTHING } from "../../check/report/markup.ts";
import { excerpt } from "../../check/report/phrases.ts";
import { type Comparison, type LanePair, type Row, type RowKind, toHunks } from "../comparison.ts";
import type { FacetName, Lane } from "../step.ts";
import { headOf, partsOf, tellDifferences, wordsOfStep } from "../tell-step.ts";
import { tellNotes, tellRun, tellSums } from "../tell-sums.ts";
import { isAlike, nameOfPair, tellVerdict } from "../tell-verdict.ts";
import { type Picture, pictureSection } from "./picture.ts";
import type { ReportOptions } from "./text.ts";

export interface HtmlOptions extends ReportOptions {
  readonly version: string;
  readonly pictures?: readonly [a: Picture, b: Picture];
}

/** A page that is too long to load helps nobody. Everything is in the JSON. */
const MOST_ROWS = 5000;
const MOST_FOLDED = 200;
const MOST_LANES = 300;
const LIMITS = { verdict: 600, name: 300, words: 400, part: 240 } as const;

/** What a page with two runs side by side needs besides the look of all reports. A row's edge repeats what its mark says. */
const DIFF_STYLE = `
header, main, footer { max-width: 84rem; }
header dl { grid-template-columns: 2rem minmax(0, 1fr); }
.steps { table-layout: fixed; margin: 0 0 0.75rem; }
.steps caption { padding-top: 0.6rem; font-size: 0.9rem; }
.steps th:first-child { width: 10.5rem; }
.steps td p { margin: 0.15rem 0; max-width: none; }
.steps td p { padding-inline-start: 2.75em; }
.steps .head { font-weight: 600; }
.steps .number { display: inline-block; min-width: 2.25em; margin-inline: -2.75em 0.5em; color: var(--quiet); font-weight: 400; text-align: end; }
.mark { font-weight: 600; white-space: nowrap; }
.sign { display: inline-block; width: 1.1em; font-family: ui-monospace, Menlo, Consolas, monospace; }
tr.alike .mark, tr.alike .head { font-weight: 400; }
tr.alike .mark { color: var(--quiet); }
tr.changed > *, tr.details > * { background: var(--warning-back); }
tr.changed .mark, tr.details .mark, .label { color: var(--warning); }
tr.only-a > th, tr.only-a > td:nth-child(2) { background: var(--error-back); }
tr.only-a .mark { color: var(--error); }
tr.only-b > th, tr.only-b > td:nth-child(3) { background: var(--info-back); }
tr.only-b .mark { color: var(--info); }
.steps tr.changed > th { border-inline-start: 0.3rem double var(--warning); }
.steps tr.details > th { border-inline-start: 0.3rem dotted var(--warning); }
.steps tr.only-a > th { border-inline-start: 0.3rem solid var(--error); }
.steps tr.only-b > th { border-inline-start: 0.3rem dashed var(--info); }
.sums { width: auto; min-width: 30rem; }
.picture { margin: 1rem 0; }
.frame { margin: 0.5rem 0; overflow-x: auto; border: 1px solid var(--line); border-radius: 0.6rem; }
.frame:focus-visible { outline: 0.2rem solid var(--link); outline-offset: 0.2rem; }
.frame img { display: block; width: 100%; min-width: 48rem; height: auto; }
.picture h3 { margin-top: 0.75rem; }
.folded { margin: 0.75rem 0; }
@media (max-width: 40rem) {
  .steps th:first-child { width: auto; }
  .sums { min-width: 0; width: 100%; }
}
@media print {
  .folded > summary { color: inherit; }
  .frame { overflow: visible; border: 0; }
  .frame img { min-width: 0; }
  thead { display: table-header-group; }
}
`;

const STYLE: Markup = { markup: HTML_STYLE + DIFF_STYLE };
const MARKS: Readonly<Record<RowKind, readonly [sign: string, word: string]>> = {
  alike: ["=", "alike"],
  details: ["~", "other details"],
  changed: ["~", "changed"],
  "only-a": ["-", "only in A"],
  "only-b": ["+", "only in B"],
};

/** How many rows a page may still have. */
interface Room {
  rows: number;
}

/**
 * The two runs side by side on one page: no script, nothing loaded from anywhere. What a row is stands in it as a sign and a word, so that
 * neither colour nor place is needed; runs of alike steps are folded, and open with a key.
 */
export function renderHtml(comparison: Comparison, { context, version, pictures }: HtmlOptions): string {
  const { lanes } = comparison;
  const room: Room = { rows: MOST_ROWS };
  const verdict = excerpt(tellVerdict(comparison), LIMITS.verdict);
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Earshot ${version}">
<title>${isAlike(comparison) ? "Alike" : "They differ"}: ${excerpt(comparison.a.name, 80)} and ${excerpt(comparison.b.name, 80)} – Earshot diff</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#steps">Skip to the steps</a>
<header>
<h1>Two runs side by side</h1>
<p class="verdict ${isAlike(comparison) ? "good" : "warning"}"><span class="quote" dir="auto">${verdict}</span></p>
<dl>
<dt>A</dt><dd>${quoted(tellRun(comparison.a), LIMITS.name)}</dd>
<dt>B</dt><dd>${quoted(tellRun(comparison.b), LIMITS.name)}</dd>
</dl>
${tellNotes(comparison).map((note) => markup`<p>${excerpt(note, LIMITS.verdict)}</p>`)}
</header>
<main id="steps">
<h2>In sum</h2>
${sumTable(comparison)}
${pictureSection(pictures)}
${lanes.slice(0, MOST_LANES).map((pair, index) => laneSection(pair, index, { room, context, total: lanes.length }))}
${lanes.length > MOST_LANES ? markup`<p>${formatCount(lanes.length - MOST_LANES, "further session")} are not on this page.</p>` : NOTHING}
${room.rows <= 0 ? markup`<p>The page ends here: it has ${formatCount(MOST_ROWS, "row")}. Everything is in the JSON, which <code>--json --all</code> writes.</p>` : NOTHING}
</main>
<footer>
<p>= alike, ~ changed or other details, - only in A, + only in B. Aligned by what steps mean, not by ids or times.</p>
<p>Written by Earshot ${version}.</p>
</footer>
</body>
</html>
`;
  return page.markup;
}

function sumTable(comparison: Comparison): Markup {
  const row = ({
    label,
    a,
    b,
    differs,
  }: ReturnType<typeof tellSums>[number]) => markup`<tr role="row" class="${differs ? "changed" : "alike"}">
<th role="rowheader" scope="row">${excerpt(label, LIMITS.part)}</th>
<td role="cell" data-label="How">${mark(differs ? ["~", "differs"] : ["=", "the same"])}</td>
<td role="cell" data-label="A">${excerpt(a, LIMITS.part)}</td>
<td role="cell" data-label="B">${excerpt(b, LIMITS.part)}</td>
</tr>`;
  return markup`<table role="table" class="sums">
<caption role="caption">What both runs amount to</caption>
<thead role="rowgroup"><tr role="row">${["Amount", "How", "A", "B"].map(columnHeader)}</tr></thead>
<tbody role="rowgroup">
${tellSums(comparison).map(row)}
</tbody>
</table>`;
}

function laneSection(
  pair: LanePair,
  index: number,
  { room, context, total }: { readonly room: Room; readonly context: number; readonly total: number },
): Markup {
  if (room.rows <= 0) return NOTHING;
  const id = `lane-${index + 1}`;
  const name = total === 1 ? "Steps" : capitalize(nameOfPair(pair).replace("the ", ""));
  const parts = toHunks(pair, context).map(({ kind, rows }) => {
    if (room.rows <= 0) return NOTHING;
    const shown = rows.slice(0, kind === "alike" ? Math.min(MOST_FOLDED, room.rows) : room.rows);
    room.rows -= shown.length;
    const table = stepTable(pair, shown, captionOf(shown));
    if (kind === "rows") return table;
    const more = rows.length - shown.length;
    return markup`<details class="folded">
<summary>= ${formatCount(rows.length, "step")} alike</summary>
${table}
${more > 0 ? markup`<p>${formatCount(more, "more step")} alike.</p>` : NOTHING}
</details>`;
  });
  return markup`<section aria-labelledby="${id}">
<h2 id="${id}">${excerpt(name, LIMITS.name)}</h2>
<p class="quiet">${sideInWords("A", pair.a)}; ${sideInWords("B", pair.b)}.</p>
${parts}
</section>`;
}

function sideInWords(side: string, lane: Lane | undefined): string {
  if (lane === undefined) return `not in ${side}`;
  return `${formatCount(lane.steps.length, "step")} in ${side}, session ${excerpt(lane.session, 80)}`;
}

function captionOf(rows: readonly Row[]): string {
  const range = (side: "a" | "b") => {
    const steps = rows.flatMap((row) => row[side] ?? []);
    const [first, last] = [steps[0], steps.at(-1)];
    if (first === undefined || last === undefined) return `no step of ${side.toUpperCase()}`;
    return first === last ? `step ${first + 1} of ${side.toUpperCase()}` : `steps ${first + 1} to ${last + 1} of ${side.toUpperCase()}`;
  };
  return capitalize(`${range("a")}, ${range("b")}`);
}

function stepTable(pair: LanePair, rows: readonly Row[], caption: string): Markup {
  return markup`<table role="table" class="steps">
<caption role="caption">${caption}</caption>
<thead role="rowgroup"><tr role="row">${["How", "A", "B"].map(columnHeader)}</tr></thead>
<tbody role="rowgroup">
${rows.map((row) => stepRow(pair, row))}
</tbody>
</table>`;
}

function stepRow(pair: LanePair, row: Row): Markup {
  return markup`<tr role="row" class="${row.is}">
<th role="rowheader" scope="row">${mark(MARKS[row.is])}</th>
<td role="cell" data-label="A">${stepCell(pair, row, "a")}</td>
<td role="cell" data-label="B">${stepCell(pair, row, "b")}</td>
</tr>`;
}

function stepCell(pair: LanePair, row: Row, side: "a" | "b"): Markup {
  const index = row[side];
  const step = index === undefined ? undefined : pair[side]?.steps[index];
  if (index === undefined || step === undefined) return markup`<span class="quiet">nothing</span>`;
  const words = wordsOfStep(step);
  const differing = differencesOf(pair, row, side);
  const isTold = (label: string) => differing.some((one) => one.label === label);
  const parts = row.is === "alike" ? [] : partsOf(step).filter(({ label }) => !isTold(label));
  return markup`<p class="head"><span class="number">${index + 1}</span> <span class="quote" dir="auto">${excerpt(headOf(step), LIMITS.words)}</span></p>
${words === "" || isWordsDiffering(row) ? NOTHING : markup`<p>${quoted(words, LIMITS.words)}</p>`}
${parts.map(({ label, text }) => markup`<p><span class="quiet">${label}:</span> ${quoted(text, LIMITS.part)}</p>`)}
${differing.map(({ label, text }) => markup`<p class="differs"><span class="label">~ ${label}:</span> ${quoted(text, LIMITS.words)}</p>`)}`;
}

const WORDS: ReadonlySet<FacetName> = new Set(["subject", "target", "task", "prompt", "text"]);

function isWordsDiffering({ differs }: Row): boolean {
  return differs.some((name) => WORDS.has(name));
}

function differencesOf(
  pair: LanePair,
  { a, b, differs }: Row,
  side: "a" | "b",
): readonly { readonly label: string; readonly text: string }[] {
  const [one, other] = [a === undefined ? undefined : pair.a?.steps[a], b === undefined ? undefined : pair.b?.steps[b]];
  if (one === undefined || other === undefined) return [];
  return tellDifferences(one, other, differs).map((told) => ({ label: told.label, text: told[side] }));
}

function mark([sign, word]: readonly [string, string]): Markup {
  return markup`<span class="mark"><span class="sign" aria-hidden="true">${sign}</span> ${word}</span>`;
}

function columnHeader(name: string): Markup {
  return markup`<th role="columnheader" scope="col">${name}</th>`;
}

/** Words from elsewhere, kept from rearranging the words around them. */
function quoted(text: string, limit: number): Markup {
  return markup`<span class="quote" dir="auto">${excerpt(text, limit)}</span>`;
}
