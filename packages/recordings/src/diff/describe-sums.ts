import { formatCount, formatDuration, formatMoney, formatNumber, protocolName } from "@earshot/narrate";
import type { Comparison } from "./comparison.ts";
import { normaliseName } from "./normalise.ts";
import type { RecordedRun, RunSums } from "./step.ts";

/** One total of both runs. */
export interface DescribedSum {
  readonly label: string;
  readonly a: string;
  readonly b: string;
  readonly differs: boolean;
}

const NOT_SAID = "not said";
const MAX_LISTED = 12;

/** The totals of both runs, without those that neither reported. */
export function describeSums({ a, b, lanes }: Comparison): readonly DescribedSum[] {
  const stepsOf = (side: "a" | "b") => lanes.reduce((sum, pair) => sum + (pair[side]?.steps.length ?? 0), 0);
  const sums = [
    both("Duration", a.sums, b.sums, ({ durationMs }) => (durationMs === undefined ? undefined : formatDuration(durationMs))),
    told("Steps", formatNumber(stepsOf("a")), formatNumber(stepsOf("b"))),
    both("Calls", a.sums, b.sums, ({ calls }) => formatNumber(calls)),
    both("Failed calls", a.sums, b.sums, ({ failedCalls }) => formatNumber(failedCalls)),
    ...toolsOf(a.sums, b.sums),
    both("Errors", a.sums, b.sums, ({ errors }) => formatNumber(errors)),
    both("Cost", a.sums, b.sums, ({ costUsd }) => (costUsd === undefined ? undefined : formatMoney(costUsd))),
    both("Tokens", a.sums, b.sums, ({ tokens }) => (tokens === undefined ? undefined : tokensInShort(tokens))),
    ...answersOf(a.sums, b.sums),
  ];
  return sums.filter(({ a: one, b: other }) => one !== NOT_SAID || other !== NOT_SAID);
}

function both(label: string, a: RunSums, b: RunSums, say: (sums: RunSums) => string | undefined): DescribedSum {
  return told(label, say(a) ?? NOT_SAID, say(b) ?? NOT_SAID);
}

/** `61,300`, `18,420 input, 2,310 output`: the label is shown separately. */
function tokensInShort({ total, input, output }: NonNullable<RunSums["tokens"]>): string {
  const parts = Object.entries({ "": total, " input": input, " output": output });
  return parts.flatMap(([of, count]) => (count === undefined ? [] : [`${formatNumber(count)}${of}`])).join(", ");
}

function told(label: string, a: string, b: string): DescribedSum {
  return { label, a, b, differs: a !== b };
}

/** Tools with different numbers of calls. */
function toolsOf(a: RunSums, b: RunSums): readonly DescribedSum[] {
  return differing(a.tools, b.tools).map(([tool, one, other]) => told(`Calls of ${tool}`, formatNumber(one), formatNumber(other)));
}

function answersOf(a: RunSums, b: RunSums): readonly DescribedSum[] {
  return differing(a.answers, b.answers).map(([answer, one, other]) =>
    told(`Asked and answered: ${answer}`, formatCount(one, "time"), formatCount(other, "time")),
  );
}

/** Names that are equal after normalization are merged under A's spelling. */
function differing(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): readonly (readonly [string, number, number])[] {
  const names = new Map([...b.keys(), ...a.keys()].map((name) => [normaliseName(name) || name, name]));
  const countIn = (counts: ReadonlyMap<string, number>) => {
    const sums = new Map<string, number>();
    for (const [name, count] of counts) sums.set(normaliseName(name) || name, (sums.get(normaliseName(name) || name) ?? 0) + count);
    return sums;
  };
  const [inA, inB] = [countIn(a), countIn(b)];
  return [...names]
    .map(([same, name]) => [name, inA.get(same) ?? 0, inB.get(same) ?? 0] as const)
    .filter(([, one, other]) => one !== other)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, MAX_LISTED);
}

/** Limits of the comparison: what was not compared, and why. */
export function describeLimits({ a, b, unsaid, cut }: Comparison): readonly string[] {
  const notes: string[] = [];
  for (const side of ["a", "b"] as const) {
    const kinds = unsaid.filter((one) => one.side === side).map(({ kind, count }) => `${kind} ${count.toLocaleString("en")}`);
    if (kinds.length === 0) continue;
    const other = (side === "a" ? b : a).protocols.map(protocolName).join(" and ");
    notes.push(`Not compared are these steps of ${side.toUpperCase()}, for which ${other} has no word: ${kinds.join(", ")}.`);
  }
  if (cut > 0) {
    notes.push(
      `The runs are too long and too different to be aligned at once: ${formatCount(cut, "step")} were aligned in pieces, and some may stand apart that belong together.`,
    );
  }
  return [...notes, ...tellRunNotes("A", a), ...tellRunNotes("B", b)];
}

function tellRunNotes(side: string, { unread, dropped }: RecordedRun): readonly string[] {
  const left =
    unread === 1
      ? `A line of ${side} is no event of AAEP, AEP or AOP and was`
      : `${formatCount(unread, "line")} of ${side} are no event of AAEP, AEP or AOP and were`;
  return [
    ...(unread > 0 ? [`${left} left out.`] : []),
    ...(dropped > 0 ? [`${formatCount(dropped, "step")} at the end of ${side} were not compared: it is too long.`] : []),
  ];
}

/** `claude.jsonl: AEP, 14 steps in 1 session, from 31 events`. */
export function describeComparedRun({ name, protocols, lanes, events }: RecordedRun): string {
  const steps = lanes.reduce((sum, lane) => sum + lane.steps.length, 0);
  return `${name}: ${protocols.map(protocolName).join(" and ")}, ${formatCount(steps, "step")} in ${formatCount(lanes.length, "session")}, from ${formatCount(events, "event")}`;
}
