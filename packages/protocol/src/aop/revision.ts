/** The implemented revision of AOP and its change log. A changed schema needs a line here. */
export const AOP_REVISION = {
  spec: "aop/1.0",
  changes: [
    {
      date: "2026-11-15",
      change:
        "First reading of AOP 1.0: twelve types and custom ones; payloads under their documented names or under those that collectors in use read.",
      understoodBy: ["aop/1.0"],
    },
  ],
} as const;
