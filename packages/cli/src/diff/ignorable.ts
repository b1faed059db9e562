import type { Unwanted } from "./fold/lane-fold.ts";
import { FACETS, type FacetName, type StepKind } from "./step.ts";

const DETAILS = (Object.keys(FACETS) as FacetName[]).filter((name) => FACETS[name].weight === "detail");

/** What may be left out of a comparison: whole steps, or what is said about them. */
const IGNORABLE: Readonly<Record<string, { readonly kinds?: readonly StepKind[]; readonly facets?: readonly FacetName[] }>> = {
  output: { kinds: ["output"] },
  thoughts: { kinds: ["thought", "decision", "uncertainty"] },
  goals: { kinds: ["goal"] },
  plans: { kinds: ["plan"] },
  states: { kinds: ["state"] },
  notifications: { kinds: ["notification"] },
  memory: { kinds: ["memory"] },
  events: { kinds: ["event"] },
  results: { facets: ["result", "error", "code"] },
  wording: { facets: DETAILS },
};

export const IGNORABLE_NAMES: readonly string[] = Object.keys(IGNORABLE);

export function toUnwanted(names: readonly string[]): Unwanted {
  const meant = names.flatMap((name) => IGNORABLE[name] ?? []);
  return { kinds: new Set(meant.flatMap(({ kinds = [] }) => kinds)), facets: new Set(meant.flatMap(({ facets = [] }) => facets)) };
}
