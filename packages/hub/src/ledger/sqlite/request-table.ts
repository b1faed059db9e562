import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Decision, Request, RequestKind, RequestState, SettleVerdict } from "../../request.ts";
import { DECISION, LATE_DECISION } from "./rows.ts";
import type { Writer } from "./writer.ts";

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

/** The requests, and the one place where one ends. */
export class RequestTable {
  readonly #find: StatementSync;
  readonly #close: StatementSync;
  readonly #list: StatementSync;

  constructor(db: DatabaseSync) {
    this.#find = db.prepare(`${SELECT} WHERE request.id = ?`);
    this.#close = db.prepare("UPDATE request SET state = ?, settled_by = ? WHERE id = ? AND state = 'open'");
    this.#list = db.prepare(
      `${SELECT} WHERE (?1 IS NULL OR request.state = ?1) AND (?2 IS NULL OR session.id = ?2) ORDER BY request.position LIMIT ?3`,
    );
  }

  /** Inside a transaction. First come, first served: whoever finds it open closes it. */
  settle(decision: Decision, writer: Writer, now: number): SettleVerdict {
    const request = this.#find.get(decision.requestId) as unknown as RequestRow | undefined;
    if (request === undefined) return { ok: false, why: "unknown" };
    if (request.digest !== decision.digest) return { ok: false, why: "digest" };
    const live = writer.sessions.ofKey(request.session);
    if (live === undefined) return { ok: false, why: "unknown" };
    const text = textOf(decision, now);
    if (request.state !== "open" || request.settled_by !== null) {
      const position = writer.writeDecision(live, {
        receivedAt: now,
        kind: LATE_DECISION,
        type: "decision.late",
        agent: decision.by,
        text,
      });
      return {
        ok: false,
        why: "late",
        state: request.state as Exclude<RequestState, "open">,
        settledBy: request.settled_by ?? 0,
        position,
      };
    }
    const position = writer.writeDecision(live, { receivedAt: now, kind: DECISION, type: "decision", agent: decision.by, text });
    this.#close.run(decision.state, position, decision.requestId);
    return { ok: true, position };
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

function textOf({ requestId, state, digest, by, answer, reason }: Decision, now: number): string {
  const decision = { request: requestId, state, digest, by, answer, at: new Date(now).toISOString() };
  return JSON.stringify(reason === undefined ? decision : { ...decision, reason });
}
