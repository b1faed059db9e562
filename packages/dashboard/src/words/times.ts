const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** A moment as a person says it: "14:32", with the day when that is another one. Never "3 seconds ago", which would tick. */
export function clock(at: number | string, now = Date.now()): string {
  const date = new Date(at);
  return date.toDateString() === new Date(now).toDateString() ? CLOCK.format(date) : DAY.format(date);
}

/** To the second, for a title. */
export function exact(at: number | string): string {
  return EXACT.format(new Date(at));
}

const STEPS = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1000, "s"],
] as const;

/** "1 h 20 min", "3.4 s", "210 ms": at most two parts. */
export function lasting(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const index = STEPS.findIndex(([size]) => ms >= size);
  const [size, unit] = STEPS[index] ?? STEPS[3];
  const [next, nextUnit] = STEPS[index + 1] ?? [0, ""];
  const whole = Math.floor(ms / size);
  const rest = next === 0 ? 0 : Math.floor((ms % size) / next);
  return rest === 0 ? `${whole} ${unit}` : `${whole} ${unit} ${rest} ${nextUnit}`;
}
