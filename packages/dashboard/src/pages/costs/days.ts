import type { CostTable } from "@earshot/hub";

const DAY_MS = 24 * 3_600_000;

type CostLine = CostTable["lines"][number];

/** Returns the days up to a time, oldest first, in the hub's format: `2026-11-15`, in UTC. */
export function daysUntil(now: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => new Date(now - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10));
}

/** Returns one line per day, including days without costs. */
export function fillDays(days: readonly string[], lines: readonly CostLine[]): readonly CostLine[] {
  return days.map((name) => lines.find((line) => line.name === name) ?? { name, events: 0 });
}

/** Total tokens of a line; undefined if none were reported. */
export function tokensOf({ tokens }: Pick<CostLine, "tokens">): number | undefined {
  return tokens === undefined ? undefined : (tokens.total ?? (tokens.input ?? 0) + (tokens.output ?? 0));
}
