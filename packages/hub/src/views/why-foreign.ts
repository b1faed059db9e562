import type { LedgerReading } from "./ledger-reading.ts";
import type { Watermark } from "./view-tables.ts";

/** A file that has seen more than the ledger holds, or something else, belongs to another ledger. Says so; undefined when it fits. */
export async function whyForeign({ position, receivedAt }: Watermark, ledger: LedgerReading): Promise<string | undefined> {
  if (position > (await ledger.head())) return "it has seen more than the ledger holds";
  if (receivedAt === null) return undefined;
  const entry = (await ledger.read({ after: position - 1, limit: 1 })).entries[0];
  const differs = entry !== undefined && entry.position === position && entry.receivedAt !== receivedAt;
  return differs ? "it has seen another ledger" : undefined;
}
