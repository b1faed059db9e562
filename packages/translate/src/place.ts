/** What is known about an event or message besides its JSON: what the protocol's reading gave, as the ledger keeps it. */
export interface Place {
  /** Empty for what belongs to no session. */
  readonly session: string;
  readonly agent: string;
  /** Canonical: aliases, prefixes and full URIs are resolved. */
  readonly type: string;
  readonly kind: "event" | "message";
}
