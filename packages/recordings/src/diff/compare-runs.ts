import { compareLanes } from "./compare-lanes.ts";
import { type ComparedRow, type Comparison, findParting, type LanePair, type RowKind, swapSides } from "./comparison.ts";
import { type MatchedLanes, matchLanes } from "./match-lanes.ts";
import type { RecordedRun, RunLane, StepKind } from "./step.ts";

/**
 * Compares two runs. Between equally good alignments, the choice must not depend on which run is A: the runs are compared in a canonical
 * order, and the result is mirrored if necessary.
 */
export function compareRuns(a: RecordedRun, b: RecordedRun): Comparison {
  return isBefore(b, a) ? swapSides(compareInOrder(b, a)) : compareInOrder(a, b);
}

function compareInOrder(a: RecordedRun, b: RecordedRun): Comparison {
  const lanes: LanePair[] = [];
  const unsaid = { a: new Map<StepKind, number>(), b: new Map<StepKind, number>() };
  let cut = 0;
  for (const match of matchLanes(a.lanes, b.lanes)) {
    const [laneA, laneB] = [laneOf(a, match.a), laneOf(b, match.b)];
    const compared = laneA !== undefined && laneB !== undefined ? compareLanes(laneA, laneB) : undefined;
    lanes.push(toPair(match, laneA, laneB, compared?.rows ?? alone(laneA, laneB)));
    cut += compared?.cut ?? 0;
    add(unsaid.a, compared?.unsaidA);
    add(unsaid.b, compared?.unsaidB);
  }
  const parting = findParting(lanes);
  return {
    a,
    b,
    lanes,
    counts: countsOf(lanes),
    ...(parting === undefined ? {} : { parting }),
    unsaid: [...toList("a", unsaid.a), ...toList("b", unsaid.b)],
    cut,
  };
}

function toPair({ parent, depth }: MatchedLanes, a: RunLane | undefined, b: RunLane | undefined, rows: readonly ComparedRow[]): LanePair {
  return { ...(a && { a }), ...(b && { b }), ...(parent === undefined ? {} : { parent }), depth, rows };
}

function laneOf({ lanes }: RecordedRun, index: number | undefined): RunLane | undefined {
  return index === undefined ? undefined : lanes[index];
}

function alone(a: RunLane | undefined, b: RunLane | undefined): readonly ComparedRow[] {
  if (a !== undefined) return a.steps.map((_step, index) => ({ is: "only-a", a: index, differs: [] }));
  return (b?.steps ?? []).map((_step, index) => ({ is: "only-b", b: index, differs: [] }));
}

function countsOf(lanes: readonly LanePair[]): Record<RowKind, number> {
  const counts: Record<RowKind, number> = { alike: 0, details: 0, changed: 0, "only-a": 0, "only-b": 0 };
  for (const { rows } of lanes) for (const { is } of rows) counts[is]++;
  return counts;
}

function add(sum: Map<StepKind, number>, more: ReadonlyMap<StepKind, number> | undefined): void {
  for (const [kind, count] of more ?? []) sum.set(kind, (sum.get(kind) ?? 0) + count);
}

function toList(side: "a" | "b", counts: ReadonlyMap<StepKind, number>): Comparison["unsaid"] {
  return [...counts].map(([kind, count]) => ({ side, kind, count }));
}

/** The canonical order of runs, by content rather than by name. */
function isBefore(one: RecordedRun, other: RecordedRun): boolean {
  const differing = one.lanes.length - other.lanes.length;
  if (differing !== 0) return differing < 0;
  for (const [index, lane] of one.lanes.entries()) {
    const compared = compareText(textsOf(lane), textsOf(other.lanes[index]));
    if (compared !== 0) return compared < 0;
  }
  return false;
}

function* textsOf(lane: RunLane | undefined): Generator<string> {
  if (lane === undefined) return;
  yield `${lane.protocol} ${lane.agent} ${lane.steps.length}`;
  for (const { kind, facets } of lane.steps) {
    yield kind;
    for (const { name, same } of facets) yield `${name} ${same}`;
  }
}

function compareText(one: Iterator<string>, other: Iterator<string>): number {
  for (;;) {
    const [a, b] = [one.next(), other.next()];
    if (a.done === true || b.done === true) return a.done === b.done ? 0 : a.done === true ? -1 : 1;
    if (a.value !== b.value) return a.value < b.value ? -1 : 1;
  }
}
