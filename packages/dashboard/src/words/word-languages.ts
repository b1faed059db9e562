/** The languages in which announcements can be worded: those that the announcer of the SDK has words for. English is there always. */
export const WORD_LANGUAGES: readonly string[] = ["en", "de"];

/** The language of our own words, for what was set: `de-AT` is German, and whatever there are no words for is English. */
export function wordLanguage(set: string, languages: readonly string[] = WORD_LANGUAGES): string {
  const [primary = ""] = set.toLowerCase().split("-", 1);
  return languages.includes(primary) ? primary : "en";
}
