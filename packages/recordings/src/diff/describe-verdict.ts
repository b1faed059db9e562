import { formatCount, formatNumber } from "@earshot/narrate";
import type { ComparedRow, Comparison, LanePair } from "./comparison.ts";
import { describeDifferences, stepHeading, stepInSentence } from "./describe-step.ts";
import { FACETS, type RunLane, type RunStep } from "./step.ts";

export function isAlike({ counts, a, b }: Comparison): boolean {
  return counts.details + counts.changed + counts["only-a"] + counts["only-b"] === 0 && a.dropped + b.dropped === 0;
}

/** The result in one sentence. It contains untrusted text that is not yet made plain for display. */
export function describeVerdict(comparison: Comparison): string {
  const { counts, parting, lanes } = comparison;
  const all = counts.alike + counts.details;
  if (parting === undefined) {
    if (comparison.a.dropped + comparison.b.dropped > 0)
      return `They are too long to be compared to the end; so far they do the same in ${formatCount(all, "step")}.`;
    if (counts.details === 0) return `They are alike: ${all === 1 ? "the only step is" : `all ${formatCount(all, "step")} are`} the same.`;
    return `They do the same in ${all === 1 ? "the only step" : `all ${formatCount(all, "step")}`}; ${formatNumber(counts.details)} of them ${counts.details === 1 ? "differs" : "differ"} in words or results.`;
  }
  const pair = lanes[parting.lane];
  if (pair === undefined) return "They differ.";
  const [a, b] = sidesAt(pair, parting.row);
  const where = lanes.length === 1 ? "They" : `In ${nameOfPair(pair)} they`;
  if (pair.a === undefined || pair.b === undefined) {
    const [side, lane] = pair.a === undefined ? ["B", pair.b] : ["A", pair.a];
    return `They part ways in who takes part: only ${side} has ${nameOfPair(pair)}, with ${formatCount(lane?.steps.length ?? 0, "step")}.`;
  }
  const row = pair.rows[parting.row];
  const acts = row?.is === "changed" ? sameActOf(pair, row) : undefined;
  return `${where} part ways at ${placeOf(pair, a, b)}: ${acts ?? sentenceOf(pair, a, b)}.`;
}

/** `the session of claude`, `the subagent price-scout`. */
export function nameOfPair({ a, b, depth }: LanePair): string {
  const { agent = "", session = "" } = a ?? b ?? {};
  const name = agent === "" ? session : agent;
  return depth === 0 ? `the session of ${name}` : `the subagent ${name}`;
}

interface Side {
  readonly index: number;
  /** True if the step is unpaired: the other side continues with a step that this side reaches later or never. */
  readonly isExtra: boolean;
}

/**
 * The steps of both sides at the divergence. Actions are preferred to state changes, because they are more informative. If only one side
 * has a step of its own, the other side is represented by the next paired step.
 */
function sidesAt(pair: LanePair, from: number): readonly [a: Side | undefined, b: Side | undefined] {
  const { rows } = pair;
  const isAlone = (row: ComparedRow | undefined) => row?.is === "only-a" || row?.is === "only-b";
  const next = rows.findIndex((row, index) => index >= from && !isAlone(row));
  const alone = isAlone(rows[from]) ? rows.slice(from, next < 0 ? rows.length : next) : [];
  const after = next < 0 ? undefined : rows[next];
  const sideOf = (side: "a" | "b"): Side | undefined => {
    const steps = alone.flatMap((row) => row[side] ?? []);
    const index = steps.find((step) => pair[side]?.steps[step]?.kind !== "state") ?? steps[0];
    if (index !== undefined) return { index, isExtra: true };
    return after?.[side] === undefined ? undefined : { index: after[side], isExtra: false };
  };
  return [sideOf("a"), sideOf("b")];
}

function placeOf({ a, b }: LanePair, sideA: Side | undefined, sideB: Side | undefined): string {
  const [totalA, totalB] = [a?.steps.length ?? 0, b?.steps.length ?? 0];
  if (sideA === undefined) return `step ${formatNumber((sideB?.index ?? 0) + 1)} of ${formatNumber(totalB)} in B`;
  if (sideB === undefined) return `step ${formatNumber(sideA.index + 1)} of ${formatNumber(totalA)} in A`;
  if (sideA.index === sideB.index && totalA === totalB) return `step ${formatNumber(sideA.index + 1)} of ${formatNumber(totalA)}`;
  return `step ${formatNumber(sideA.index + 1)} of ${formatNumber(totalA)} in A and step ${formatNumber(sideB.index + 1)} of ${formatNumber(totalB)} in B`;
}

function sentenceOf({ a, b }: LanePair, sideA: Side | undefined, sideB: Side | undefined): string {
  const [one, other] = [stepOf(a, sideA), stepOf(b, sideB)];
  if (one === undefined) return `only B ${other === undefined ? "goes on" : stepInSentence(other)}`;
  if (other === undefined) return `only A ${stepInSentence(one)}`;
  const isFirst = sideA?.isExtra !== sideB?.isExtra;
  const says = (step: RunStep, side: Side | undefined) => `${isFirst && side?.isExtra === true ? "first " : ""}${stepInSentence(step)}`;
  return `A ${says(one, sideA)}; B ${says(other, sideB)}`;
}

/** The difference in words, if both actions produce the same sentence; otherwise undefined. */
function sameActOf({ a, b }: LanePair, row: ComparedRow): string | undefined {
  const [one, other] = [row.a === undefined ? undefined : a?.steps[row.a], row.b === undefined ? undefined : b?.steps[row.b]];
  if (one === undefined || other === undefined || stepInSentence(one) !== stepInSentence(other)) return undefined;
  const [first] = describeDifferences(
    one,
    other,
    row.differs.filter((name) => FACETS[name].weight === "course"),
  );
  return first === undefined
    ? undefined
    : `A and B have the same "${stepHeading(one)}", but with ${first.label.toLowerCase()} "${first.a}" in A and "${first.b}" in B`;
}

function stepOf(lane: RunLane | undefined, side: Side | undefined): RunStep | undefined {
  return side === undefined ? undefined : lane?.steps[side.index];
}
