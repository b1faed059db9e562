import { FACETS, type Facet, type FacetName, facetOf, type Step } from "./step.ts";
import { likeness, wordsOf } from "./words.ts";

/** What two steps that stand beside each other are to each other, and in which facets they differ. */
export interface StepDifference {
  readonly is: "alike" | "details" | "changed";
  readonly differs: readonly FacetName[];
}

/** In different protocols an input is told in other words: it counts as the same from here on. */
const LIKE_ENOUGH = 0.5;
const NAMES = Object.keys(FACETS) as readonly FacetName[];

/** Whether two steps mean the same. What only one protocol can say is no difference between two. */
export function compareSteps(a: Step, b: Step, isOneProtocol: boolean): StepDifference {
  const differs: FacetName[] = [];
  let isCourse = false;
  for (const name of NAMES) {
    const [one, other] = [facetOf(a, name), facetOf(b, name)];
    if (one?.same === other?.same) continue;
    if (!isOneProtocol && (one === undefined || other === undefined)) continue;
    differs.push(name);
    const isLikeEnough = !isOneProtocol && name === "subject" && likenessOf(one, other) >= LIKE_ENOUGH;
    if (FACETS[name].weight === "course" && !isLikeEnough) isCourse = true;
  }
  return { is: differs.length === 0 ? "alike" : isCourse ? "changed" : "details", differs };
}

function likenessOf(one: Facet | undefined, other: Facet | undefined): number {
  return likeness(wordsOf(one?.text ?? ""), wordsOf(other?.text ?? ""));
}
