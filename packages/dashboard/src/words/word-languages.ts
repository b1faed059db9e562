/** The languages in which announcements can be worded: those supported by the SDK's announcer. English is always included. */
export const WORD_LANGUAGES: readonly string[] = ["en", "de"];

/** Returns the wording language for a setting: `de-AT` becomes German; an unsupported language becomes English. */
export function wordLanguage(set: string, languages: readonly string[] = WORD_LANGUAGES): string {
  const [primary = ""] = set.toLowerCase().split("-", 1);
  return languages.includes(primary) ? primary : "en";
}
