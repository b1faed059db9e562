import { hashText, type ProtocolName } from "@earshot/protocol";
import { alignRows } from "./align-rows.ts";
import type { ComparedRow } from "./comparison.ts";
import { LikenessMeter } from "./likeness-meter.ts";
import { measureLikeness, wordHashesOf } from "./normalise.ts";
import { FACETS, type Facet, type FacetName, facetOf, type RunLane, type RunStep, type StepKind } from "./step.ts";

export interface ComparedLanes {
  readonly rows: readonly ComparedRow[];
  readonly unsaidA: ReadonlyMap<StepKind, number>;
  readonly unsaidB: ReadonlyMap<StepKind, number>;
  readonly cut: number;
}

const ALIKE = { is: "alike", differs: [] } as const;

/** Aligns the steps of two sessions. Every compared step is in exactly one row, in its original order. */
export function compareLanes(a: RunLane, b: RunLane): ComparedLanes {
  const isOneProtocol = a.protocol === b.protocol;
  const [ofA, ofB] = [comparable(a, b), comparable(b, a)];
  const [keysA, keysB] = keysOf(ofA.steps, ofB.steps, isOneProtocol);
  const meter = new LikenessMeter(isOneProtocol);
  const likeness = (one: number, other: number): number => {
    const [stepA, stepB] = [ofA.steps[one], ofB.steps[other]];
    return stepA === undefined || stepB === undefined ? 0 : meter.measure(stepA, stepB);
  };
  const { pairs, cut } = alignRows({ a: keysA, b: keysB, likeness });
  const rows: ComparedRow[] = [];
  let [one, other] = [0, 0];
  const tellUntil = (toA: number, toB: number) => {
    for (; one < toA; one++) rows.push({ is: "only-a", a: ofA.places[one] ?? one, differs: [] });
    for (; other < toB; other++) rows.push({ is: "only-b", b: ofB.places[other] ?? other, differs: [] });
  };
  for (const [inA, inB] of pairs) {
    tellUntil(inA, inB);
    const [stepA, stepB] = [ofA.steps[inA], ofB.steps[inB]];
    const isEqual = keysA[inA] === keysB[inB] || stepA === undefined || stepB === undefined;
    const difference = isEqual ? ALIKE : compareSteps(stepA, stepB, isOneProtocol);
    rows.push({ ...difference, a: ofA.places[inA] ?? inA, b: ofB.places[inB] ?? inB });
    [one, other] = [inA + 1, inB + 1];
  }
  tellUntil(ofA.steps.length, ofB.steps.length);
  return { rows, unsaidA: ofA.unsaid, unsaidB: ofB.unsaid, cut };
}

/** The steps that the other lane's protocol can express, with their indexes in the lane. For equal protocols these are all steps. */
function comparable({ steps, protocol: own }: RunLane, { protocol }: RunLane) {
  const kept: RunStep[] = [];
  const places: number[] = [];
  const unsaid = new Map<StepKind, number>();
  steps.forEach((step, place) => {
    if (own === protocol || canSay(protocol, step.kind)) {
      kept.push(step);
      places.push(place);
    } else unsaid.set(step.kind, (unsaid.get(step.kind) ?? 0) + 1);
  });
  return { steps: kept, places, unsaid };
}

/** Equal steps get equal numbers. Between two protocols, facets that occur on one side only are ignored. */
function keysOf(a: readonly RunStep[], b: readonly RunStep[], isOneProtocol: boolean): [Uint32Array, Uint32Array] {
  const numbers = new Map<number, number>();
  const [saidA, saidB] = isOneProtocol ? [undefined, undefined] : [facetsSaid(a), facetsSaid(b)];
  const toKey = (step: RunStep): number => {
    let text: string = step.kind;
    for (const { name, same } of [...step.facets].sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const said = `${step.kind} ${name}`;
      if (saidA === undefined || saidB === undefined || (saidA.has(said) && saidB.has(said))) text += `\n${name} ${same}`;
    }
    // 53 bits, so a collision of two different steps is not expected.
    const hash = (hashText(text, 0x2545f491) >>> 0) * 0x20_0000 + (hashText(text, 0x6c62272e) >>> 11);
    const known = numbers.get(hash) ?? numbers.size;
    numbers.set(hash, known);
    return known;
  };
  return [Uint32Array.from(a, toKey), Uint32Array.from(b, toKey)];
}

function facetsSaid(steps: readonly RunStep[]): ReadonlySet<string> {
  const said = new Set<string>();
  for (const { kind, facets } of steps) for (const { name } of facets) said.add(`${kind} ${name}`);
  return said;
}

/** The relation of two paired steps, and the facets in which they differ. */
export interface StepDifference {
  readonly is: "alike" | "details" | "changed";
  readonly differs: readonly FacetName[];
}

/** Different protocols word an input differently: from this similarity on, the inputs count as the same. */
const LIKE_ENOUGH = 0.5;
const NAMES = Object.keys(FACETS) as readonly FacetName[];

/** Compares two steps by meaning. Between two protocols, a facet present on one side only is no difference. */
export function compareSteps(a: RunStep, b: RunStep, isOneProtocol: boolean): StepDifference {
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
  return measureLikeness(wordHashesOf(one?.text ?? ""), wordHashesOf(other?.text ?? ""));
}

/** Step kinds that every protocol can express. */
const COMMON: readonly StepKind[] = ["opened", "task", "call", "event", "closed"];

const SAID: Readonly<Record<ProtocolName, ReadonlySet<StepKind>>> = {
  aaep: new Set([...COMMON, "state", "request", "output", "handoff"]),
  aep: new Set([...COMMON, "request", "subagent", "output", "thought", "plan", "workspace", "compaction", "notification", "error"]),
  aop: new Set([...COMMON, "thought", "goal", "decision", "uncertainty", "subagent", "memory", "external", "notification"]),
};

/** Whether a protocol can express a step kind. Only then is the absence of a step significant. */
export function canSay(protocol: ProtocolName, kind: StepKind): boolean {
  return SAID[protocol].has(kind);
}
