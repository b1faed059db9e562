import { type ComparedRow, type Comparison, type LanePair, toHunks } from "../comparison.ts";
import { stepHeading } from "../describe-step.ts";
import { describeLimits } from "../describe-sums.ts";
import { describeVerdict, isAlike } from "../describe-verdict.ts";
import type { RecordedRun, RunLane, RunStep } from "../step.ts";
import type { DiffReportOptions } from "./text.ts";

/** A comparison for programs. Steps are numbered from 1. Runs of alike steps beyond the context are one object each. */
export function toDiffJson(comparison: Comparison, { context }: DiffReportOptions): object {
  const { a, b, lanes, counts, parting, cut } = comparison;
  const row = parting === undefined ? undefined : lanes[parting.lane]?.rows[parting.row];
  return {
    alike: isAlike(comparison),
    verdict: describeVerdict(comparison),
    ...(row === undefined ? {} : { parting: { lane: (parting?.lane ?? 0) + 1, ...numbersOf(row) } }),
    counts,
    aligned: cut === 0 ? "exactly" : "in pieces",
    notes: describeLimits(comparison),
    a: runJson(a),
    b: runJson(b),
    lanes: lanes.map((pair, index) => laneJson(pair, index, context)),
  };
}

function runJson({ name, protocols, events, lanes, sums, unread, dropped }: RecordedRun): object {
  const { tools, answers, ...amounts } = sums;
  return {
    name,
    protocols,
    events,
    sessions: lanes.length,
    steps: lanes.reduce((sum, { steps }) => sum + steps.length, 0),
    unread,
    dropped,
    sums: { ...amounts, tools: Object.fromEntries(tools), answers: Object.fromEntries(answers) },
  };
}

function laneJson(pair: LanePair, index: number, context: number): object {
  return {
    lane: index + 1,
    ...(pair.parent === undefined ? {} : { parent: pair.parent + 1 }),
    ...(pair.a === undefined ? {} : { a: sessionJson(pair.a) }),
    ...(pair.b === undefined ? {} : { b: sessionJson(pair.b) }),
    rows: toHunks(pair, context).flatMap(({ kind, rows }) =>
      kind === "rows" ? rows.map((row) => rowJson(pair, row)) : [{ is: "alike", count: rows.length, ...numbersOf(rows[0]) }],
    ),
  };
}

function sessionJson({ session, protocol, agent, steps }: RunLane): object {
  return { session, protocol, agent, steps: steps.length };
}

function numbersOf(row: ComparedRow | undefined): object {
  return { ...(row?.a === undefined ? {} : { a: row.a + 1 }), ...(row?.b === undefined ? {} : { b: row.b + 1 }) };
}

function rowJson(pair: LanePair, { is, a, b, differs }: ComparedRow): object {
  const [one, other] = [a === undefined ? undefined : pair.a?.steps[a], b === undefined ? undefined : pair.b?.steps[b]];
  return {
    is,
    ...(differs.length === 0 ? {} : { differs }),
    ...(one === undefined || a === undefined ? {} : { a: stepJson(one, a) }),
    ...(other === undefined || b === undefined ? {} : { b: stepJson(other, b) }),
  };
}

function stepJson(step: RunStep, index: number): object {
  return {
    step: index + 1,
    kind: step.kind,
    is: stepHeading(step),
    ...Object.fromEntries(step.facets.map(({ name, text }) => [name, text])),
  };
}
