import { setImmediate as nextTurn } from "node:timers/promises";
import { EarshotError } from "@earshot/protocol";
import type { Ledger, LedgerEntry } from "../ledger/ledger.ts";
import type { KeptStore } from "./prune.ts";

/** The entry: its position, or the event's id with its session if several have it. */
export interface EraseTarget {
  readonly position?: number;
  readonly event?: string;
  readonly session?: string;
}

/** An entry before and after erasing, as it is shown: without its text. */
export interface ErasableEntry {
  readonly position: number;
  readonly receivedAt: number;
  readonly protocol: LedgerEntry["protocol"];
  readonly source: string;
  readonly session: string;
  readonly agent: string;
  readonly type: string;
  readonly sizeBytes: number;
}

const PAGE = 500;
const MAX_FOUND = 20;

/** The matching entries. AOP events have no ids and are named by position. */
export async function findErasable({ position, event, session }: EraseTarget, ledger: Ledger): Promise<readonly ErasableEntry[]> {
  if (position !== undefined) {
    const [entry] = (await ledger.read({ after: position - 1, limit: 1 })).entries;
    const isMeant = entry?.position === position && (session === undefined || entry.session === session);
    return isMeant ? [toErasable(entry)] : [];
  }
  const found: ErasableEntry[] = [];
  const filter = session === undefined ? {} : { filter: { session } };
  for (let after = 0; event !== undefined && found.length < MAX_FOUND; ) {
    const page = await ledger.read({ after, limit: PAGE, ...filter });
    found.push(...page.entries.filter((entry) => hasId(entry, event)).map(toErasable));
    if (page.upTo === after) break;
    after = page.upTo;
    await nextTurn();
  }
  return found;
}

/** Erases the one matching entry and returns its remaining description. */
export async function eraseOne(target: EraseTarget, { ledger, views }: Pick<KeptStore, "ledger" | "views">): Promise<ErasableEntry> {
  const [entry, another] = await findErasable(target, ledger);
  if (entry === undefined) throw new EarshotError({ code: "NOT_FOUND", message: "There is no such entry, or it was erased before." });
  if (another !== undefined) {
    const message = `Several entries have this id, at positions ${entry.position} and ${another.position}.`;
    throw new EarshotError({ code: "WRONG_QUERY", message, hint: "Name the one that is meant by its position." });
  }
  await views.erase(entry.position);
  return entry;
}

function hasId({ text }: LedgerEntry, id: string): boolean {
  if (!text.includes(id)) return false;
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) return false;
  return ("event_id" in value && value.event_id === id) || ("id" in value && value.id === id);
}

function toErasable({ position, receivedAt, protocol, source, session, agent, type, text }: LedgerEntry): ErasableEntry {
  return { position, receivedAt, protocol, source, session, agent, type, sizeBytes: Buffer.byteLength(text) };
}
