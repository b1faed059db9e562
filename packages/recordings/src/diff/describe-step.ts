import { cutAt } from "@earshot/terminal/passage";
import type { Labelled } from "@earshot/terminal/saying";
import { FACETS, type Facet, type FacetName, facetOf, type RunStep, type StepKind } from "./step.ts";

/** `Call Bash, failed`, `Ended, completed`, `State thinking`: the name and status, as in the narration. */
export function stepHeading(step: RunStep): string {
  const said = step.facets.filter(({ name }) => FACETS[name].place === "head").map(({ text }) => text);
  if (said.length === 0) return step.name;
  return `${step.name}${RUNNING_ON.has(step.kind) ? " " : ", "}${said.join(", ")}`;
}

const RUNNING_ON: ReadonlySet<StepKind> = new Set(["state", "goal"]);

/** The step's main text, in the agent's words; empty without one. */
export function wordsOfStep({ facets }: RunStep): string {
  return facets.find(({ name }) => FACETS[name].place === "words")?.text ?? "";
}

/** The step's other facets, except those that repeat its words. */
export function partsOf(step: RunStep): readonly Labelled[] {
  const words = wordsOfStep(step);
  return step.facets
    .filter(({ name, text }) => FACETS[name].place === "part" && text !== words)
    .map(({ name, text }) => ({ label: FACETS[name].label, text }));
}

/** `calls Bash with "npm test", which failed`: the action as part of a sentence. Untrusted and not yet made plain for display. */
export function stepInSentence(step: RunStep, most = 80): string {
  const said = (name: FacetName) => facetOf(step, name)?.text;
  const quote = (name: FacetName, before = " ") => {
    const facet = facetOf(step, name);
    return facet === undefined ? "" : `${before}"${shorten(facet, most)}"`;
  };
  switch (step.kind) {
    case "opened":
      return "begins";
    case "task":
      return `is given the task${quote("task")}`;
    case "state":
      return `goes into the state ${said("state") ?? "without a name"}`;
    case "call":
      return `calls ${said("tool") ?? "a tool"}${quote("subject", " with ")}${WHICH[said("outcome") ?? ""] ?? `, which ${said("outcome")}`}`;
    case "request":
      return `asks${quote("prompt")} and gets ${said("answer") === "no answer" ? "no answer" : `the answer${quote("answer")}`}`;
    case "subagent":
      return `starts the subagent ${said("child") ?? "without a name"}${quote("goal", " for ")}`;
    case "output":
      return `says${quote("text")}`;
    case "thought":
      return `thinks${quote("text")}`;
    case "closed":
      return `ends, ${said("outcome") ?? "outcome unknown"}`;
    default:
      return `has "${stepHeading(step)}"${quote(wordsNameOf(step), " with ")}`;
  }
}

/** The outcome `succeeded` is not mentioned. */
const WHICH: Readonly<Record<string, string>> = { "": "", succeeded: "", "no outcome told": ", and never tells its outcome" };

function wordsNameOf({ facets }: RunStep): FacetName {
  return facets.find(({ name }) => FACETS[name].place === "words")?.name ?? "text";
}

function shorten({ text }: Facet, most: number): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length <= most ? line : `${cutAt(line, most - 1)}…`;
}

/** One difference between two steps, with the text of each side. */
export interface DescribedDifference {
  readonly label: string;
  /** `nothing` if the facet is missing. */
  readonly a: string;
  readonly b: string;
}

const MAX_SHOWN_CHARACTERS = 240;
/** Number of equal characters shown before a difference. */
const BEFORE = 40;

/** The differences of two steps, one per facet. Long texts are shown from shortly before the first difference. */
export function describeDifferences(a: RunStep, b: RunStep, differs: readonly FacetName[]): readonly DescribedDifference[] {
  return differs.map((name) => {
    const [one, other] = [facetOf(a, name)?.text ?? "nothing", facetOf(b, name)?.text ?? "nothing"];
    const from = differsFrom(one, other);
    const label = name === "text" || name === "task" ? "Words" : FACETS[name].label;
    return { label, a: passageFrom(one, from), b: passageFrom(other, from) };
  });
}

/** Index of the word from which differing texts are shown; 0 for short texts. */
function differsFrom(one: string, other: string): number {
  let index = 0;
  while (index < one.length && one[index] === other[index]) index++;
  if (Math.max(one.length, other.length) <= MAX_SHOWN_CHARACTERS) return 0;
  return Math.max(0, one.lastIndexOf(" ", Math.max(0, index - BEFORE)) + 1);
}

function passageFrom(text: string, from: number): string {
  const rest = text.slice(from).replace(/^[\udc00-\udfff]/, "");
  const cut = cutAt(rest, MAX_SHOWN_CHARACTERS);
  return `${from > 0 ? "… " : ""}${cut}${cut.length < rest.length ? " …" : ""}`;
}
