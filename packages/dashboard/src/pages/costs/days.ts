import type { CostTable } from "@earshot/hub";

const DAY_MS = 24 * 3_600_000;

type CostLine = CostTable["lines"][number];

/** The days up to a moment, oldest first, as the hub names them: `2026-11-15`, in UTC. */
export function daysUntil(now: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => new Date(now - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10));
}

/** A line for every day, also for those without costs. */
export function fillDays(days: readonly string[], lines: readonly CostLine[]): readonly CostLine[] {
  return days.map((name) => lines.find((line) => line.name === name) ?? { name, events: 0 });
}

/** All tokens of a line; undefined where none were reported. */
export function tokensOf({ tokens }: Pick<CostLine, "tokens">): number | undefined {
  return tokens === undefined ? undefined : (tokens.total ?? (tokens.input ?? 0) + (tokens.output ?? 0));
}
