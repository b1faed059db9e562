import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { ProtocolName } from "@earshot/protocol";
import type { Decision, Request, RequestKind, RequestQuery, RequestState, Settled, SettleVerdict } from "../../request.ts";
import type { Draft, SettledDecision } from "./draft.ts";
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
  readonly protocol: ProtocolName;
  readonly source: string;
  readonly session_id: string;
}

const SELECT =
  "SELECT request.*, source.protocol AS protocol, source.name AS source, session.id AS session_id FROM request JOIN session ON session.key = request.session JOIN source ON source.key = session.source";

/** The requests, as they are read. */
export class RequestTable {
  readonly #db: DatabaseSync;
  /** One statement for each shape of query: an index serves only what is asked for plainly. */
  readonly #lists = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  list({ ids, state, session, after = 0, before, limit }: RequestQuery): readonly Request[] {
    const wanted: readonly (readonly [string, SQLInputValue])[] = [
      ...(ids === undefined ? [] : [oneOf(ids)]),
      ...(state === undefined ? [] : [["request.state = ?", state] as const]),
      ...(session === undefined ? [] : [["session.id = ?", session] as const]),
      before === undefined ? ["request.position > ?", after] : ["request.position < ?", before],
    ];
    const where = wanted.map(([condition]) => condition).join(" AND ");
    const sql = `${SELECT} WHERE ${where} ORDER BY request.position${before === undefined ? "" : " DESC"} LIMIT ?`;
    const statement = this.#lists.get(sql) ?? this.#db.prepare(sql);
    this.#lists.set(sql, statement);
    return (statement.all(...wanted.map(([, value]) => value), limit) as unknown as readonly RequestRow[]).map(toRequest);
  }
}

/** One is looked up far more often than several, and much faster without a list. */
function oneOf(ids: readonly string[]): readonly [string, SQLInputValue] {
  const [only, second] = ids;
  if (only !== undefined && second === undefined) return ["request.id = ?", only];
  return ["request.id IN (SELECT value FROM json_each(?))", JSON.stringify(ids)];
}

/** As much of it as is needed to settle it: a card may be long. */
type SettledRow = Pick<RequestRow, "session" | "deadline_at" | "state" | "digest" | "settled_by">;

/** A request that is asked in this transaction, and does not stand in its table yet. */
export type AskedRequest = Draft["requests"][number];

/** The one place where a request begins and ends. All of it is done inside a transaction. */
export class RequestSettler {
  readonly #insert: StatementSync;
  readonly #find: StatementSync;
  readonly #close: StatementSync;
  readonly #extend: StatementSync;

  constructor(db: DatabaseSync) {
    this.#insert = db.prepare(
      "INSERT INTO request (id, kind, position, session, opened_at, deadline_at, state, card, digest, settled_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    this.#find = db.prepare("SELECT session, deadline_at, state, digest, settled_by FROM request WHERE id = ?");
    this.#close = db.prepare("UPDATE request SET state = ?, settled_by = ? WHERE id = ? AND state = 'open'");
    this.#extend = db.prepare("UPDATE request SET deadline_at = max(ifnull(deadline_at, 0), ?) WHERE id = ? AND state = 'open'");
  }

  open(asked: AskedRequest): void {
    this.#put(asked, "open", null);
  }

  /**
   * First come, first served: whoever finds it open closes it, or moves its deadline. The entry is for the caller to add. What is
   * asked and settled in one transaction is given as `asked`, and written once: inserting it as open, finding it and changing it
   * would take three times as long.
   */
  settle(decision: Decision, position: number, now: number, asked?: AskedRequest): SettledDecision {
    const request = asked === undefined ? (this.#find.get(decision.requestId) as unknown as SettledRow | undefined) : asOpen(asked);
    if (request === undefined) return { position, verdict: { ok: false, why: "unknown" } };
    const entry = (kind: number, type: string) => {
      return { session: request.session, kind, type, agent: decision.by, receivedAt: now, text: textOf(decision, now) };
    };
    const verdict = verdictOn(request, decision, position);
    const closes = verdict.ok && decision.state !== "open";
    if (asked !== undefined) this.#put(asked, closes ? decision.state : "open", closes ? position : null);
    else if (closes) this.#close.run(decision.state, position, decision.requestId);
    if (verdict.ok && decision.state === "open") this.#extend.run(decision.deadlineAt, decision.requestId);
    if (verdict.ok) return { position, verdict, entry: entry(DECISION, closes ? "decision" : "decision.extended") };
    if (verdict.why === "digest") return { position, verdict, entry: entry(LATE_DECISION, "decision.mismatched") };
    if (verdict.why === "late") return { position, verdict, entry: entry(LATE_DECISION, "decision.late") };
    return { position, verdict };
  }

  #put(asked: AskedRequest, state: RequestState, settledBy: number | null): void {
    const { id, kind, position, session, openedAt, deadlineAt, card, digest } = asked;
    this.#insert.run(id, kind, position, session, openedAt, deadlineAt, state, card, digest, settledBy);
  }
}

function asOpen({ session, deadlineAt, digest }: AskedRequest): SettledRow {
  return { session, deadline_at: deadlineAt, state: "open", digest, settled_by: null };
}

function verdictOn(request: SettledRow, decision: Decision, position: number): SettleVerdict {
  if (request.digest !== decision.digest) return { ok: false, why: "digest", position };
  if (request.state !== "open" || request.settled_by !== null) {
    return { ok: false, why: "late", state: request.state as Settled, settledBy: request.settled_by ?? 0, position };
  }
  if (decision.state !== "open" && decision.deadlineAt !== undefined && decision.deadlineAt !== request.deadline_at) {
    return { ok: false, why: "extended", deadlineAt: request.deadline_at };
  }
  return { ok: true, position };
}

function toRequest(row: RequestRow): Request {
  return {
    id: row.id,
    kind: row.kind,
    position: row.position,
    protocol: row.protocol,
    source: row.source,
    session: row.session_id,
    sessionKey: row.session,
    openedAt: row.opened_at,
    deadlineAt: row.deadline_at,
    state: row.state,
    card: row.card,
    digest: row.digest,
    settledBy: row.settled_by,
  };
}

function textOf(decision: Decision, now: number): string {
  const { requestId, state, digest, by, reason } = decision;
  const what = decision.state === "open" ? { deadlineAt: new Date(decision.deadlineAt).toISOString() } : { answer: decision.answer };
  const at = new Date(now).toISOString();
  return JSON.stringify({ request: requestId, state, digest, by, ...what, at, ...(reason === undefined ? {} : { reason }) });
}
