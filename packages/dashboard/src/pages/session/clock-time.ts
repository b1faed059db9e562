const SECONDS = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** "14:32:05": within a session, seconds matter. */
export function clockTime(at: number): string {
  return SECONDS.format(new Date(at));
}
