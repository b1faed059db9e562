import { hash } from "node:crypto";
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { type OpenedRequest, readOpenedRequest, toOpenedRequest } from "@earshot/judge";
import type { LedgerBreak } from "./ledger-break.ts";

const DECISION = 2;
const sha256 = (text: string) => hash("sha256", text, "hex");

interface Opening extends OpenedRequest {
  readonly position: number;
}

/** The result of a request according to the entries. */
interface Outcome {
  readonly deadlineAt: number | null;
  readonly ended?: { readonly state: string; readonly digest: string; readonly position: number };
}

interface RequestColumns {
  readonly id: string;
  readonly kind: OpenedRequest["kind"];
  readonly position: number;
  readonly session: number;
  readonly opened_at: number;
  readonly deadline_at: number | null;
  readonly state: string;
  readonly card: string;
  readonly digest: string;
  readonly settled_by: number | null;
  readonly entry_session: number | null;
  readonly received_at: number;
  readonly text: string;
  readonly cut: number;
}
const ROWS = `SELECT request.*, entry.session AS entry_session, entry.received_at, entry.text, session.cut
  FROM request JOIN session ON session.key = request.session LEFT JOIN entry ON entry.position = request.position
  WHERE request.position <= ? ORDER BY request.position`;

/**
 * Compares the table of requests with the chained and signed entries: an entry records the request it opened and what was shown, and
 * decisions are entries. Requests of older versions are compared as far as their entries allow.
 */
export class RequestVerifier {
  readonly #openings = new Map<string, Opening>();
  readonly #outcomes = new Map<string, Outcome>();
  /** From here on, every entry that opened a request records it. */
  #noted = Number.POSITIVE_INFINITY;
  /** Decisions with an erased text, whose request is unknown. */
  readonly #erased = new Set<number>();

  /** Call with every entry after its hash was verified. */
  note({ position, kind, notes, type, text }: Record<string, SQLOutputValue>): void {
    const opened = typeof notes === "string" ? readOpenedRequest(notes) : undefined;
    if (opened !== undefined) {
      this.#openings.set(opened.id, { ...opened, position: Number(position) });
      this.#noted = Math.min(this.#noted, Number(position));
    }
    if (kind === DECISION) this.#noteDecision(Number(position), String(type), String(text));
  }

  check(db: DatabaseSync, head: number): LedgerBreak | undefined {
    for (const row of db.prepare(ROWS).iterate(head) as Iterable<unknown> as Iterable<RequestColumns>) {
      if (!this.#isRight(row)) return changed(row.id, row.position);
    }
    return this.#findMissing(db);
  }

  #noteDecision(position: number, type: string, text: string): void {
    if (text === "") {
      this.#erased.add(position);
      return;
    }
    const said = JSON.parse(text) as { request: string; state: string; digest: string; deadlineAt?: string };
    const before = this.#outcomes.get(said.request) ?? { deadlineAt: null };
    if (type === "decision") this.#outcomes.set(said.request, { ...before, ended: { state: said.state, digest: said.digest, position } });
    else if (said.deadlineAt !== undefined) {
      const deadlineAt = Math.max(before.deadlineAt ?? 0, Date.parse(said.deadlineAt));
      this.#outcomes.set(said.request, { ...before, deadlineAt });
    }
  }

  #isRight(row: RequestColumns): boolean {
    const { deadlineAt: extendedTo, ended } = this.#outcomes.get(row.id) ?? { deadlineAt: null };
    const isDecided =
      ended === undefined
        ? (row.state === "open" && row.settled_by === null) || this.#erased.has(row.settled_by ?? 0)
        : row.state === ended.state && row.settled_by === ended.position && row.digest === ended.digest;
    // An open request outlives its entry when the session's beginning is cut.
    if (row.entry_session === null || row.position <= row.cut) return isDecided;
    if (!isDecided || row.entry_session !== row.session || row.opened_at !== row.received_at) return false;
    const opening = this.#openings.get(row.id);
    if (row.text === "") return row.card === "{}";
    if (opening === undefined) return row.position < this.#noted && (extendedTo === null || (row.deadline_at ?? 0) >= extendedTo);
    const { position, ...opened } = opening;
    const deadlineAt = extendedTo === null ? opened.deadlineAt : Math.max(opened.deadlineAt ?? 0, extendedTo);
    const found = toOpenedRequest({ ...row, deadlineAt: opened.deadlineAt }, sha256);
    return position === row.position && row.deadline_at === deadlineAt && JSON.stringify(found) === JSON.stringify(opened);
  }

  #findMissing(db: DatabaseSync): LedgerBreak | undefined {
    const find = db.prepare(
      "SELECT 1 FROM entry JOIN session ON session.key = session WHERE position = ? AND position > cut AND text <> '' AND NOT EXISTS (SELECT 1 FROM request WHERE id = ?)",
    );
    for (const { id, position } of this.#openings.values()) {
      if (find.get(position, id) !== undefined) return changed(id, position);
    }
    return undefined;
  }
}

function changed(id: string, position: number): LedgerBreak {
  const message = `What the table of requests says of ${id}, which the entry at position ${position} opened, is not what the entries say.`;
  return { what: "request-changed", position, message };
}
