import type { StoryItem } from "@earshot/hub";
import { spanOfCall } from "./course.ts";
import { timeOfActivity } from "./rows.ts";

/** Spending up to a moment. */
export interface SpendingPoint {
  readonly at: number;
  readonly position: number;
  readonly costUsd: number | undefined;
  readonly tokens: number | undefined;
}

interface Report {
  readonly at: number;
  readonly position: number;
  readonly cost: { readonly value: number; readonly counts: "total" | "delta" } | undefined;
  readonly tokens: { readonly value: number; readonly counts: "total" | "delta" } | undefined;
}

/** Returns cost and tokens over time, from the loaded part of the story. A reported total replaces the sum of the values before it. */
export function toSpending(items: readonly StoryItem[]): readonly SpendingPoint[] {
  const reports = items.flatMap(reportOf).sort((one, other) => one.at - other.at);
  let costUsd: number | undefined;
  let tokens: number | undefined;
  return reports.map((report) => {
    costUsd = add(costUsd, report.cost);
    tokens = add(tokens, report.tokens);
    return { at: report.at, position: report.position, costUsd, tokens };
  });
}

function add(sum: number | undefined, report: Report["cost"]): number | undefined {
  if (report === undefined) return sum;
  return report.counts === "total" ? report.value : (sum ?? 0) + report.value;
}

/** Returns the values reported by one item. A call reports them when it ends. */
function reportOf(item: StoryItem): readonly Report[] {
  const { call, activity, continues, position } = item;
  if (continues !== undefined) return [];
  const cost = call?.costUsd === undefined ? activity.costUsd : { value: call.costUsd, counts: "delta" as const };
  const count = call?.tokens === undefined ? activity.tokens : { ...call.tokens, counts: "delta" as const };
  if (cost === undefined && count === undefined) return [];
  const at = spanOfCall(item, 0)[0]?.to ?? timeOfActivity(item);
  const tokens = count === undefined ? undefined : { value: count.total ?? (count.input ?? 0) + (count.output ?? 0), counts: count.counts };
  return [{ at, position, cost, tokens }];
}
