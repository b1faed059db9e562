import { formatCount } from "@earshot/narrate";
import { plainText } from "@earshot/terminal/plain-text";
import { type Layout, layOutItem, type OutputItem, type Tone } from "@earshot/terminal/saying";
import { wrap } from "@earshot/terminal/style";
import { type ComparedRow, type Comparison, type LanePair, type RowHunk, type RowKind, toHunks } from "../comparison.ts";
import { describeDifferences, partsOf, stepHeading, wordsOfStep } from "../describe-step.ts";
import { describeComparedRun, describeLimits, describeSums } from "../describe-sums.ts";
import { describeVerdict, nameOfPair } from "../describe-verdict.ts";
import { FACETS, type RunStep } from "../step.ts";

export interface DiffReportOptions {
  /** Number of alike steps shown around a difference; infinite for all. */
  readonly context: number;
}

const SIGNS: Readonly<Record<RowKind, string>> = { alike: "=", details: "~", changed: "~", "only-a": "-", "only-b": "+" };
const TONES: Readonly<Record<RowKind, Tone>> = {
  alike: "plain",
  details: "warning",
  changed: "warning",
  "only-a": "bad",
  "only-b": "good",
};
/** Maximum length of an alike step's line, which only provides orientation. */
const MAX_INLINE_CHARACTERS = 120;

/** A comparison for people, line by line. */
export function* renderDiffText(comparison: Comparison, options: DiffReportOptions, layout: Layout): Generator<string> {
  for (const line of textLines(comparison, options, layout)) yield `${line}\n`;
}

/** The verdict comes first. Each line repeats the meaning of its sign in words. */
export function* textLines(comparison: Comparison, { context }: DiffReportOptions, layout: Layout): Generator<string> {
  const plain = (text: string, indent = "") => wrap(plainText(text), { width: layout.width, indent, hanging: `${indent}  ` });
  yield* plain(describeVerdict(comparison)).map(layout.style.bold);
  yield* plain(`A is ${describeComparedRun(comparison.a)}.`);
  yield* plain(`B is ${describeComparedRun(comparison.b)}.`);
  for (const note of describeLimits(comparison)) yield* plain(note);
  const { counts, lanes } = comparison;
  if (counts.details + counts.changed + counts["only-a"] + counts["only-b"] > 0 || context === Number.POSITIVE_INFINITY) {
    yield "";
    yield "= alike, ~ changed or other details, - only in A, + only in B.";
    for (const [index, pair] of lanes.entries()) yield* laneLines(pair, index, lanes.length, context, layout);
  }
  yield "";
  yield* sumLines(comparison, layout);
}

function* laneLines(pair: LanePair, index: number, total: number, context: number, layout: Layout): Generator<string> {
  if (total > 1) {
    yield "";
    yield* wrap(plainText(headingOf(pair, index, total)), { width: layout.width, indent: "", hanging: "  " }).map(layout.style.bold);
  }
  for (const hunk of toHunks(pair, context)) {
    if (hunk.kind === "alike") yield alikeLine(hunk);
    else for (const row of hunk.rows) yield* layOutItem(sayRow(pair, row), undefined, layout);
  }
}

function headingOf(pair: LanePair, index: number, total: number): string {
  const { a, b } = pair;
  const steps = [
    a === undefined ? "not in A" : `${formatCount(a.steps.length, "step")} in A`,
    b === undefined ? "not in B" : `${formatCount(b.steps.length, "step")} in B`,
  ];
  const isSame = pair.rows.every(({ is }) => is === "alike");
  return `${index + 1} of ${total}, ${nameOfPair(pair).replace("the ", "")}: ${steps.join(", ")}${isSame ? ", all alike" : ""}.`;
}

function alikeLine({ rows }: RowHunk): string {
  const [first, last] = [rows[0], rows.at(-1)];
  const range = (side: "a" | "b") => `${side.toUpperCase()} ${(first?.[side] ?? 0) + 1} to ${(last?.[side] ?? 0) + 1}`;
  return `= ${formatCount(rows.length, "step")} alike, ${range("a")}, ${range("b")}`;
}

function sayRow(pair: LanePair, row: ComparedRow): OutputItem {
  const a = row.a === undefined ? undefined : pair.a?.steps[row.a];
  const b = row.b === undefined ? undefined : pair.b?.steps[row.b];
  const shown = a ?? b;
  const what = `${SIGNS[row.is]} ${placeOf(row)}`;
  if (shown === undefined) return { what };
  if (row.is === "alike") return { what: `${what}: ${stepHeading(shown)}`, words: inShort(wordsOfStep(shown)) };
  if (a !== undefined && b !== undefined) return sayPair(what, row, a, b);
  return { what: `${what}: ${stepHeading(shown)}`, tone: TONES[row.is], words: wordsOfStep(shown), parts: partsOf(shown) };
}

/** The line shows what both steps have in common; the differences follow below it. */
function sayPair(what: string, { is, differs }: ComparedRow, a: RunStep, b: RunStep): OutputItem {
  const common = (step: RunStep): RunStep => ({ ...step, facets: step.facets.filter(({ name }) => !differs.includes(name)) });
  const isRenamed = differs.some((facet) => FACETS[facet].place === "name");
  const name = isRenamed && a.name !== b.name ? `${a.name} in A, ${b.name} in B` : a.name;
  const shared = { ...common(a), name };
  return {
    what: `${what}: ${stepHeading(shared)}`,
    tone: TONES[is],
    words: inShort(wordsOfStep(shared)),
    below: describeDifferences(a, b, differs).flatMap(({ label, a: one, b: other }) => [
      { label: `${label} in A`, text: one },
      { label: `${label} in B`, text: other },
    ]),
  };
}

function placeOf({ is, a = -1, b = -1 }: ComparedRow): string {
  if (is === "only-a") return `only A ${a + 1}`;
  if (is === "only-b") return `only B ${b + 1}`;
  const place = `A ${a + 1}, B ${b + 1}`;
  return is === "alike" ? place : `${place}, ${is === "details" ? "other details" : "changed"}`;
}

function inShort(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length <= MAX_INLINE_CHARACTERS ? line : `${line.slice(0, MAX_INLINE_CHARACTERS).replace(/[\ud800-\udbff]$/, "")}…`;
}

function* sumLines(comparison: Comparison, layout: Layout): Generator<string> {
  const sums = describeSums(comparison);
  const differing = sums.filter(({ differs }) => differs);
  const plain = (text: string, indent: string) => wrap(plainText(text), { width: layout.width, indent, hanging: `${indent}  ` });
  yield differing.length === 0 ? "In sum nothing differs." : "In sum:";
  for (const { label, a, b } of differing) yield* plain(`${label}: ${a} in A, ${b} in B`, "  ");
  const same = sums.filter(({ differs }) => !differs).map(({ label, a }) => `${label.toLowerCase()}: ${a}`);
  if (same.length > 0) yield* plain(`The same in both: ${same.join("; ")}.`, differing.length === 0 ? "" : "  ");
}
