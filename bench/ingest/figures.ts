import { loadavg } from "node:os";

/** A percentile of ascending values. */
export function percentile(ordered: Float64Array, part: number): number {
  return ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * part))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const ordered = values.toSorted((one, other) => one - other);
  const middle = ordered.length >> 1;
  const upper = ordered[middle] ?? Number.NaN;
  return ordered.length % 2 === 1 ? upper : (upper + (ordered[middle - 1] ?? Number.NaN)) / 2;
}

/** The median of the ratios of paired measurements, which other load affects equally. */
export function medianRatio(ours: readonly number[], theirs: readonly number[]): number {
  return median(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)));
}

export function spread(values: readonly number[], digits = 0): string {
  const [low, middle, high] = [Math.min(...values), median(values), Math.max(...values)].map((value) => number(value, digits));
  return `${middle} (${low} to ${high})`;
}

export function number(value: number, digits = 0): string {
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export interface Bar {
  readonly atLeast: number;
}

/**
 * A self-explanatory line with the figure and its aim. Beside the ratio of the rates it prints the ratio of processor time per event,
 * which hardly depends on other load.
 */
export function ratioLine(
  what: string,
  ratio: number,
  { bar, cpu }: { readonly bar?: Bar | undefined; readonly cpu?: number } = {},
): string {
  const byTime = cpu === undefined || Number.isNaN(cpu) ? "" : `, by processor time ${number(cpu, 2)}`;
  const aim = bar === undefined ? "no bar" : `aimed at: at least ${bar.atLeast}${ratio < bar.atLeast ? "  ← below the aim" : ""}`;
  return `    ${`${what}:`.padEnd(40)} ${number(ratio, 2)}${byTime}   ${aim}`;
}

/** Other programs worsen the figures, and not always equally. */
export function printLoad(): void {
  const [lastMinute = 0] = loadavg();
  if (lastMinute <= 0.5) return;
  console.log(`The machine was not idle before this began (load ${number(lastMinute, 1)} over the last minute): expect noise.`);
}
