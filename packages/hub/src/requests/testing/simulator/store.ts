import { judgeDecision, type RequestRow } from "@earshot/judge";
import { hasRoomInSession } from "../../held-table.ts";
import type { MachineTerms, RequestEnding } from "../../machine-types.ts";

/** A request as every process sees it. */
export interface SimulatedRow {
  readonly terms: MachineTerms;
  readonly session: string;
  readonly openedAt: number;
  deadlineAt: number | null;
  ending: RequestEnding | null;
}

/** The store's operations in order: `ends` are the effective settlements. */
export interface StoreOperation {
  readonly id: string;
  readonly what: "opened" | "ended" | "late" | "mismatched" | "extended" | "refused";
  readonly ending?: RequestEnding;
  /** The lease under which it was ended. */
  readonly fence?: number | undefined;
}

interface Settling {
  readonly fence?: number | undefined;
  /** Several hubs: the clock of the database, and the newest lease. */
  readonly shared?: { readonly now: number; readonly fence: number } | undefined;
}

/** Defects of a broken store. */
export interface StoreFaults {
  readonly comparesNothing?: boolean;
  readonly ignoresDigest?: boolean;
  readonly hasNoLimit?: boolean;
  readonly ignoresFence?: boolean;
}

/** The store shared by all processes, with exactly the ledger contract's guarantees. Its operations are durable. */
export class SimulatedStore {
  readonly rows = new Map<string, SimulatedRow>();
  readonly recorded: StoreOperation[] = [];
  readonly #faults: StoreFaults;

  constructor(faults: StoreFaults = {}) {
    this.#faults = faults;
  }

  open(terms: MachineTerms, session: string, wallNow: number): "opened" | "known" | "refused" {
    if (this.rows.has(terms.id)) return "known";
    if (this.#faults.hasNoLimit !== true && !hasRoomInSession(this.openIn(session))) {
      this.recorded.push({ id: terms.id, what: "refused" });
      return "refused";
    }
    this.rows.set(terms.id, { terms, session, openedAt: wallNow, deadlineAt: terms.deadlineAt, ending: null });
    this.recorded.push({ id: terms.id, what: "opened" });
    return "opened";
  }

  openIn(session: string): number {
    let open = 0;
    for (const row of this.rows.values()) if (row.session === session && row.ending === null) open++;
    return open;
  }

  /** Compares and sets. Returns the resulting ending, or the changed deadline; undefined if nothing was settled. */
  settle(id: string, ending: RequestEnding, { fence, shared }: Settling = {}): RequestEnding | { readonly deadlineAt: number } | undefined {
    const row = this.rows.get(id);
    if (row === undefined) return undefined;
    const { comparesNothing, ignoresDigest, ignoresFence } = this.#faults;
    const judged: RequestRow = {
      ...{ id, kind: "permission", card: "", position: 1, sessionKey: 1, session: row.session, openedAt: row.openedAt },
      deadlineAt: row.deadlineAt,
      digest: ignoresDigest === true ? ending.digest : row.terms.digest,
      state: comparesNothing === true ? "open" : (row.ending?.state ?? "open"),
      settledBy: comparesNothing === true || row.ending === null ? null : 1,
    };
    const fenced = fence === undefined || ignoresFence === true ? {} : { fence };
    const decision = { requestId: id, ...ending, ...fenced, answer: JSON.stringify(ending.answer) };
    const { result } = judgeDecision(decision, judged, { position: 1, now: 0, ...(shared === undefined ? {} : { shared }) });
    if (!result.ok && result.why === "extended") return { deadlineAt: result.deadlineAt ?? 0 };
    if (!result.ok && result.why === "fenced") return undefined;
    const what = result.ok ? "ended" : result.why === "late" ? "late" : "mismatched";
    this.recorded.push({ id, what, ending, fence });
    if (!result.ok) return row.ending !== null && what === "late" ? row.ending : undefined;
    row.ending = ending;
    return ending;
  }

  extend(id: string, deadlineAt: number): boolean {
    const row = this.rows.get(id);
    if (row === undefined || row.ending !== null || row.deadlineAt === null) return false;
    row.deadlineAt = Math.max(row.deadlineAt, deadlineAt);
    this.recorded.push({ id, what: "extended" });
    return true;
  }
}
