import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Decision, Request, RequestKind, RequestState } from "../../request.ts";
import type { SettledDecision } from "./draft.ts";
import { DECISION, LATE_DECISION } from "./rows.ts";

interface RequestRow {
  readonly id: string;
  readonly kind: RequestKind;
  readonly position: number;
  readonly session: number;
  readonly opened_at: number;
  readonly deadline_at: number | null;
  readonly state: RequestState;
  readonly card: string;
  readonly digest: string;
  readonly settled_by: number | null;
  readonly source: string;
  readonly session_id: string;
}

const SELECT =
  "SELECT request.*, source.name AS source, session.id AS session_id FROM request JOIN session ON session.key = request.session JOIN source ON source.key = session.source";

/** The requests, as they are read. */
export class RequestTable {
  readonly #list: StatementSync;

  constructor(db: DatabaseSync) {
    this.#list = db.prepare(
      `${SELECT} WHERE (?1 IS NULL OR request.state = ?1) AND (?2 IS NULL OR session.id = ?2) ORDER BY request.position LIMIT ?3`,
    );
  }

  list({
    state,
    session,
    limit,
  }: {
    readonly state?: RequestState;
    readonly session?: string;
    readonly limit: number;
  }): readonly Request[] {
    const rows = this.#list.all(state ?? null, session ?? null, limit) as unknown as readonly RequestRow[];
    return rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      position: row.position,
      source: row.source,
      session: row.session_id,
      openedAt: row.opened_at,
      deadlineAt: row.deadline_at,
      state: row.state,
      card: row.card,
      digest: row.digest,
      settledBy: row.settled_by,
    }));
  }
}

/** The one place where a request ends. */
export class RequestSettler {
  readonly #find: StatementSync;
  readonly #close: StatementSync;

  constructor(db: DatabaseSync) {
    this.#find = db.prepare(`${SELECT} WHERE request.id = ?`);
    this.#close = db.prepare("UPDATE request SET state = ?, settled_by = ? WHERE id = ? AND state = 'open'");
  }

  /** Inside a transaction. First come, first served: whoever finds it open closes it. The entry is for the caller to add. */
  settle(decision: Decision, position: number, now: number): SettledDecision {
    const request = this.#find.get(decision.requestId) as unknown as RequestRow | undefined;
    if (request === undefined) return { position, verdict: { ok: false, why: "unknown" } };
    if (request.digest !== decision.digest) return { position, verdict: { ok: false, why: "digest" } };
    const entry = { session: request.session, agent: decision.by, receivedAt: now, text: textOf(decision, now) };
    if (request.state !== "open" || request.settled_by !== null) {
      const state = request.state as Exclude<RequestState, "open">;
      const verdict = { ok: false, why: "late", state, settledBy: request.settled_by ?? 0, position } as const;
      return { position, verdict, entry: { ...entry, kind: LATE_DECISION, type: "decision.late" } };
    }
    this.#close.run(decision.state, position, decision.requestId);
    return { position, verdict: { ok: true, position }, entry: { ...entry, kind: DECISION, type: "decision" } };
  }
}

function textOf({ requestId, state, digest, by, answer, reason }: Decision, now: number): string {
  const decision = { request: requestId, state, digest, by, answer, at: new Date(now).toISOString() };
  return JSON.stringify(reason === undefined ? decision : { ...decision, reason });
}
