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
