import { mayOpen } from "../../held-table.ts";
import type { Ending, Terms } from "../../machine-types.ts";

/** A request as every process sees it. */
export interface Row {
  readonly terms: Terms;
  readonly session: string;
  readonly openedAt: number;
  deadlineAt: number | null;
  ending: Ending | null;
}

/** The store's operations in order: `ends` are the effective settlements. */
export interface Recorded {
  readonly id: string;
  readonly what: "opened" | "ended" | "late" | "mismatched" | "extended" | "refused";
  readonly ending?: Ending;
}

/** Defects of a broken store. */
export interface StoreFaults {
  readonly comparesNothing?: boolean;
  readonly ignoresDigest?: boolean;
  readonly hasNoLimit?: boolean;
}

/** The store shared by all processes, with exactly the ledger contract's guarantees. Its operations are durable. */
export class Store {
  readonly rows = new Map<string, Row>();
  readonly recorded: Recorded[] = [];
  readonly #faults: StoreFaults;

  constructor(faults: StoreFaults = {}) {
    this.#faults = faults;
  }

  open(terms: Terms, session: string, wallNow: number): "opened" | "known" | "refused" {
    if (this.rows.has(terms.id)) return "known";
    if (this.#faults.hasNoLimit !== true && !mayOpen(this.openIn(session))) {
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

  /** Compares and sets. Returns the resulting ending, or the changed deadline; undefined if what was shown has another digest. */
  settle(id: string, ending: Ending): Ending | { readonly deadlineAt: number } | undefined {
    const row = this.rows.get(id);
    if (row === undefined) return undefined;
    if (ending.digest !== row.terms.digest && this.#faults.ignoresDigest !== true) {
      this.recorded.push({ id, what: "mismatched", ending });
      return undefined;
    }
    if (row.ending !== null && this.#faults.comparesNothing !== true) {
      this.recorded.push({ id, what: "late", ending });
      return row.ending;
    }
    if (ending.deadlineAt !== undefined && row.deadlineAt !== null && row.deadlineAt !== ending.deadlineAt)
      return { deadlineAt: row.deadlineAt };
    row.ending = ending;
    this.recorded.push({ id, what: "ended", ending });
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
