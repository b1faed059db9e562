const NAMES = new Intl.DisplayNames(["en"], { type: "language" });

/** "German" for `de`. */
export function languageName(language: string): string {
  try {
    return NAMES.of(language) ?? language;
  } catch {
    return language; // a tag that is none
  }
}
