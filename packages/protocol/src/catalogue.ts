/** The edition of the rules a report was made with. Raised whenever a rule is added, dropped or changes severity. */
export const CATALOGUE_EDITION = { version: "3", date: "2026-11-19" } as const;
