import { cutAt } from "../story/passage.ts";
import { FACETS, type FacetName, facetOf, type Step } from "./step.ts";

/** One thing in which two steps differ, in the words of both. */
export interface ToldDifference {
  readonly label: string;
  /** `nothing` where it was not said. */
  readonly a: string;
  readonly b: string;
}

const MOST = 240;
/** So much of what is the same stays before what differs. */
const BEFORE = 40;

/** What differs between two steps, facet by facet; of long texts the place where they begin to differ. */
export function tellDifferences(a: Step, b: Step, differs: readonly FacetName[]): readonly ToldDifference[] {
  return differs.map((name) => {
    const [one, other] = [facetOf(a, name)?.text ?? "nothing", facetOf(b, name)?.text ?? "nothing"];
    const from = differsFrom(one, other);
    const label = name === "text" || name === "task" ? "Words" : FACETS[name].label;
    return { label, a: passageFrom(one, from), b: passageFrom(other, from) };
  });
}

/** The word in which two texts begin to differ. */
function differsFrom(one: string, other: string): number {
  let index = 0;
  while (index < one.length && one[index] === other[index]) index++;
  if (Math.max(one.length, other.length) <= MOST) return 0;
  return Math.max(0, one.lastIndexOf(" ", Math.max(0, index - BEFORE)) + 1);
}

function passageFrom(text: string, from: number): string {
  const rest = text.slice(from).replace(/^[\udc00-\udfff]/, "");
  const cut = cutAt(rest, MOST);
  return `${from > 0 ? "… " : ""}${cut}${cut.length < rest.length ? " …" : ""}`;
}
