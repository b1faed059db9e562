/** A length of time in words, rounded: `42 seconds`, `3 minutes`, `2 hours`. */
export function toldDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return several(seconds, "second");
  if (seconds < 7200) return several(Math.round(seconds / 60), "minute");
  return several(Math.round(seconds / 3600), "hour");
}

export function several(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
