const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** Formats a time: "14:32", with the date if it is another day. Never relative ("3 seconds ago"), which would change every second. */
export function formatClockTime(at: number | string, now = Date.now()): string {
  const date = new Date(at);
  return date.toDateString() === new Date(now).toDateString() ? CLOCK.format(date) : DAY.format(date);
}

/** Formats a time to the second, for a title. */
export function formatExactTime(at: number | string): string {
  return EXACT.format(new Date(at));
}
