import { readTimestamp } from "@earshot/protocol";
import type { Activity } from "@earshot/protocol/activities";
import { facetOf, type RunLane, type RunSums } from "../step.ts";

const MEASURES = ["costUsd", "input", "output", "total"] as const;
type Measure = (typeof MEASURES)[number];
type Spend = { readonly [Name in Measure]: { parts?: number; total?: number } };

const MAX_NAMES = 1000;
const MAX_SESSIONS = 20_000;

/** The totals of a run. A total reported by a session takes precedence over the sum of its parts. */
export class SumsFold {
  readonly #spends = new Map<string, Spend>();
  #firstMs: number | undefined;
  #lastMs: number | undefined;

  handle({ at, protocol, session, tokens, costUsd }: Activity): void {
    const ms = at === undefined ? undefined : readTimestamp(at)?.ms;
    if (ms !== undefined) {
      this.#firstMs = Math.min(this.#firstMs ?? ms, ms);
      this.#lastMs = Math.max(this.#lastMs ?? ms, ms);
    }
    if (tokens === undefined && costUsd === undefined) return;
    const spend = this.#spendOf(`${protocol} ${session}`);
    if (costUsd !== undefined) count(spend.costUsd, costUsd.counts, costUsd.value);
    if (tokens === undefined) return;
    for (const name of ["input", "output", "total"] as const) {
      const value = tokens[name];
      if (value !== undefined) count(spend[name], tokens.counts, value);
    }
  }

  finish(lanes: readonly RunLane[]): RunSums {
    const sums: Partial<Record<Measure, number>> = {};
    for (const spend of this.#spends.values()) {
      for (const name of MEASURES) {
        const value = spend[name].total ?? spend[name].parts;
        if (value !== undefined) sums[name] = (sums[name] ?? 0) + value;
      }
    }
    const { costUsd, ...tokens } = sums;
    return {
      ...(this.#firstMs === undefined || this.#lastMs === undefined ? {} : { durationMs: this.#lastMs - this.#firstMs }),
      ...(costUsd === undefined ? {} : { costUsd: Math.round(costUsd * 1e9) / 1e9 }),
      ...(Object.keys(tokens).length === 0 ? {} : { tokens }),
      ...stepsOf(lanes),
    };
  }

  /** Sessions beyond the limit share one entry. */
  #spendOf(session: string): Spend {
    const name = this.#spends.size < MAX_SESSIONS || this.#spends.has(session) ? session : "";
    const known = this.#spends.get(name);
    if (known !== undefined) return known;
    const spend: Spend = { costUsd: {}, input: {}, output: {}, total: {} };
    this.#spends.set(name, spend);
    return spend;
  }
}

function count(amount: { parts?: number; total?: number }, counts: "total" | "delta", value: number): void {
  if (counts === "total") amount.total = Math.max(amount.total ?? 0, value);
  else amount.parts = (amount.parts ?? 0) + value;
}

function stepsOf(lanes: readonly RunLane[]): Pick<RunSums, "calls" | "failedCalls" | "errors" | "tools" | "answers"> {
  const tools = new Map<string, number>();
  const answers = new Map<string, number>();
  let [calls, failedCalls, errors] = [0, 0, 0];
  for (const { steps } of lanes) {
    for (const step of steps) {
      if (step.kind === "error") errors++;
      if (step.kind === "request")
        add(answers, `${facetOf(step, "request")?.text ?? "request"}, ${facetOf(step, "answer")?.text ?? "no answer"}`);
      if (step.kind !== "call") continue;
      calls++;
      add(tools, facetOf(step, "tool")?.text ?? "tools without a name");
      const outcome = facetOf(step, "outcome")?.text;
      if (outcome === "failed" || outcome === "ran out of time") failedCalls++;
    }
  }
  const sorted = new Map([...tools].sort(([one, often], [other, times]) => times - often || (one < other ? -1 : 1)));
  return { calls, failedCalls, errors, tools: sorted, answers };
}

function add(counts: Map<string, number>, name: string): void {
  const known = counts.get(name);
  if (known !== undefined || counts.size < MAX_NAMES) counts.set(name, (known ?? 0) + 1);
}
