import { type Markup, markup, NOTHING } from "../../check/report/markup.ts";
import { counted, thousands } from "../../story/amounts.ts";
import { spaced } from "../../story/phrases.ts";
import { elapsed } from "../draw/ticks.ts";
import type { Section, Span } from "../trace.ts";
import { sinceStart } from "../words/clock-words.ts";
import { name } from "../words/name.ts";

/** A page that is too long to load helps nobody. */
const ROWS = 400;

interface Row {
  readonly span: Span;
  readonly lane: string;
  readonly what: string;
  readonly outcome: string;
}

/** Every bar of the picture as a row, in the order in which they began. Lanes drawn as heights have no bars to list. */
export function eventTable(section: Section): Markup {
  const rows = rowsOf(section).sort((a, b) => a.span.from.entry - b.span.from.entry);
  const more = rows.length - ROWS;
  const summed = ["state", "tools", "requests", "output", "subagents"].filter(
    (lane) => section[lane as "state" | "tools" | "requests" | "output" | "subagents"].spans === undefined,
  );
  const note = summed.length === 0 ? "" : ` Too many to list one by one: ${summed.join(", ")}.`;
  if (rows.length === 0) return note === "" ? NOTHING : markup`<p>${note.trim()}</p>`;
  return markup`<details>
<summary>${counted(rows.length, "bar")} of the picture as a table</summary>
<table role="table" aria-labelledby="bars-${section.index + 1}">
<caption id="bars-${section.index + 1}">What the lanes show${more > 0 ? `, the first ${thousands(ROWS)} of ${thousands(rows.length)}` : ""}.${note}</caption>
<thead role="rowgroup"><tr role="row">${["Line", "Lane", "What", "From", "Lasting", "Outcome"].map((header) => markup`<th role="columnheader" scope="col">${header}</th>`)}</tr></thead>
<tbody role="rowgroup">
${rows.slice(0, ROWS).map((row) => rowMarkup(row, section))}
</tbody>
</table>
</details>`;
}

function rowMarkup({ span, lane, what, outcome }: Row, { axis }: Section): Markup {
  const from = sinceStart(axis, span.from);
  const lasting = axis.kind === "time" && span.from.ms !== undefined && span.to.ms !== undefined ? elapsed(span.to.ms - span.from.ms) : "";
  return markup`<tr role="row">
<th role="rowheader" scope="row">${span.from.line}</th>
<td role="cell" data-label="Lane">${lane}</td>
<td role="cell" data-label="What"><span class="quote" dir="auto">${what}</span></td>
<td role="cell" data-label="From">${from === undefined ? "" : elapsed(from)}</td>
<td role="cell" data-label="Lasting">${lasting}</td>
<td role="cell" data-label="Outcome">${span.open ? "no end recorded" : outcome}</td>
</tr>`;
}

function rowsOf({ state, tools, requests, output, subagents }: Section): Row[] {
  return [
    ...(state.spans ?? []).map((span) => ({ span, lane: "State", what: name(spaced(span.word)), outcome: "" })),
    ...(tools.spans ?? []).map((span) => ({ span, lane: "Tool", what: name(span.tool), outcome: span.outcome ?? "" })),
    ...(requests.spans ?? []).map((span) => ({
      span,
      lane: "Request",
      what: `${span.request}${span.prompt === "" ? "" : `: ${name(span.prompt, 120)}`}`,
      outcome: span.answer === undefined ? "no answer recorded" : name(span.answer),
    })),
    ...(output.spans ?? []).map((span) => ({ span, lane: "Output", what: counted(span.characters, "character"), outcome: "complete" })),
    ...(subagents.spans ?? []).map((span) => ({
      span,
      lane: "Subagent",
      what: name(span.name),
      outcome: name(span.outcome ?? "ended", 40),
    })),
  ];
}
