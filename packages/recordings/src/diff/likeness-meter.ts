import { measureLikeness, wordHashesOf } from "./normalise.ts";
import { FACETS, type Facet, type FacetName, facetOf, type RunStep, type StepKind } from "./step.ts";

/** Minimum similarity of two steps that count as one changed step. */
export const MIN_LIKENESS_OF_CHANGED = 0.5;

/**
 * Similarity of two steps of a kind: `base` plus a weight for each facet. Steps with a different `identity` are two steps. Thoughts and
 * outputs are worded differently in every run, so they match by position.
 */
const LIKENESSES: Readonly<Record<StepKind, { readonly base: number; readonly identity?: FacetName; readonly parts: readonly Part[] }>> = {
  opened: { base: 1, parts: [] },
  closed: { base: 0.6, parts: [["outcome", 0.4]] },
  task: { base: 0.3, parts: [["task", 0.7]] },
  state: { base: 0, parts: [["state", 0.4]] },
  call: {
    base: 0.2,
    identity: "tool",
    parts: [
      ["subject", 0.6],
      ["outcome", 0.2],
    ],
  },
  request: {
    base: 0.3,
    identity: "request",
    parts: [
      ["prompt", 0.4],
      ["answer", 0.3],
    ],
  },
  subagent: {
    base: 0.4,
    identity: "child",
    parts: [
      ["goal", 0.4],
      ["outcome", 0.2],
    ],
  },
  output: { base: 0.5, parts: [["text", 0.5]] },
  thought: { base: 0.5, parts: [["text", 0.5]] },
  goal: {
    base: 0.2,
    parts: [
      ["task", 0.6],
      ["status", 0.2],
    ],
  },
  decision: { base: 0.4, parts: [["text", 0.6]] },
  uncertainty: { base: 0.5, parts: [["text", 0.5]] },
  plan: { base: 0.5, parts: [["items", 0.5]] },
  memory: {
    base: 0.1,
    parts: [
      ["operation", 0.3],
      ["target", 0.6],
    ],
  },
  external: {
    base: 0.1,
    parts: [
      ["operation", 0.2],
      ["target", 0.5],
      ["outcome", 0.2],
    ],
  },
  workspace: {
    base: 0.1,
    parts: [
      ["operation", 0.3],
      ["target", 0.6],
    ],
  },
  compaction: { base: 0.7, parts: [["text", 0.3]] },
  notification: { base: 0.3, parts: [["text", 0.7]] },
  error: {
    base: 0.3,
    parts: [
      ["text", 0.5],
      ["code", 0.2],
    ],
  },
  handoff: { base: 0.4, parts: [["target", 0.6]] },
  event: { base: 0.6, identity: "type", parts: [["text", 0.4]] },
};

type Part = readonly [facet: FacetName, weight: number];

/** Measures the similarity of steps and caches the words of their facets, for one pair of lanes. */
export class LikenessMeter {
  readonly #isOneProtocol: boolean;
  readonly #words = new WeakMap<Facet, Uint32Array>();

  constructor(isOneProtocol: boolean) {
    this.#isOneProtocol = isOneProtocol;
  }

  /** From 0 (different) to 1 (equal). */
  measure(a: RunStep, b: RunStep): number {
    if (a.kind !== b.kind) return 0;
    const { base, identity, parts } = LIKENESSES[a.kind];
    let sum = base;
    for (const [name, weight] of parts) sum += weight * this.#closeness(facetOf(a, name), facetOf(b, name));
    if (identity !== undefined && facetOf(a, identity)?.same !== facetOf(b, identity)?.same) return this.#otherName(a, b);
    return facetOf(a, "agent")?.same === facetOf(b, "agent")?.same ? sum : sum / 2;
  }

  /** Another protocol may name the same tool differently. Then the subjects of both calls must be the same. */
  #otherName(a: RunStep, b: RunStep): number {
    const [one, other] = [facetOf(a, "subject"), facetOf(b, "subject")];
    return !this.#isOneProtocol && a.kind === "call" && one !== undefined && one.same === other?.same ? MIN_LIKENESS_OF_CHANGED : 0;
  }

  #closeness(one: Facet | undefined, other: Facet | undefined): number {
    if (one?.same === other?.same) return 1;
    if (one === undefined || other === undefined) return this.#isOneProtocol ? 0 : 1;
    return FACETS[one.name].place === "head" ? 0 : measureLikeness(this.#wordsOf(one), this.#wordsOf(other));
  }

  #wordsOf(facet: Facet): Uint32Array {
    const known = this.#words.get(facet);
    if (known !== undefined) return known;
    const words = wordHashesOf(facet.text);
    this.#words.set(facet, words);
    return words;
  }
}
