/** Which edition of the rules a report was made with. Raised whenever a rule is added, dropped or changes severity. */
export const CATALOGUE = { version: "2", date: "2026-11-15" } as const;
