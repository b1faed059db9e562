/** The value below which a part of the ordered values lies. */
export function percentile(ordered: Float64Array, part: number): number {
  return ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * part))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const ordered = values.toSorted((one, other) => one - other);
  const middle = ordered.length >> 1;
  const upper = ordered[middle] ?? Number.NaN;
  return ordered.length % 2 === 1 ? upper : (upper + (ordered[middle - 1] ?? Number.NaN)) / 2;
}

/** Ratios of what was measured side by side, and from them the median: what the machine did meanwhile met both sides. */
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

/** One line that can be read without the code: what, how much, and what is aimed at. */
export function ratioLine(what: string, ratio: number, bar?: { readonly atLeast?: number; readonly atMost?: number }): string {
  const { atLeast, atMost } = bar ?? {};
  const aim = atLeast !== undefined ? `aimed at: at least ${atLeast}` : atMost !== undefined ? `aimed at: at most ${atMost}` : "no bar";
  const met = (atLeast === undefined || ratio >= atLeast) && (atMost === undefined || ratio <= atMost);
  return `    ${what.padEnd(52)} ${number(ratio, 2).padStart(6)}   ${aim}${met ? "" : "  ← below the aim"}`;
}
