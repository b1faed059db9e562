import { DatabaseSync } from "node:sqlite";
import type { JsonObject } from "@earshot/protocol";
import { createLifecycle } from "../../intake/lifecycle.ts";
import { readSubmission } from "../../intake/submission.ts";
import type { Ledger, SessionInfo, Submission } from "../../ledger/ledger.ts";
import { openSqliteLedger } from "../../ledger/sqlite/open-ledger.ts";

export const AT = Date.UTC(2026, 2, 1, 10);

export interface SpeakingLedger extends AsyncDisposable {
  readonly ledger: Ledger;
  /** Says events in one batch; those that a hub refuses are left out. Gives the position of the last one. */
  say(values: readonly JsonObject[], source?: string): Promise<number>;
  session(id: string, source?: string): Promise<SessionInfo>;
}

/** A real ledger, and a way to say AOP events to it. The clock goes on by a millisecond per event. */
export function openSpeakingLedger(path: string): SpeakingLedger {
  const lifecycle = createLifecycle({ strict: false, redacts: () => false, captures: () => "full" });
  let now = AT;
  const ledger = openSqliteLedger(path, { lifecycle, now: () => now });
  return {
    ledger,
    async say(values, source = "local") {
      const submissions = values.flatMap((value) => submission(value, source, ++now) ?? []);
      const verdicts = await ledger.append(submissions);
      return verdicts.reduce((last, verdict) => (verdict.ok ? Math.max(last, verdict.position) : last), 0);
    },
    async session(id, source = "local") {
      const found = (await ledger.findSessions(id, "aop")).find((one) => one.source === source);
      if (found === undefined) throw new Error(`No session ${id} of ${source}.`);
      return found;
    },
    [Symbol.asyncDispose]: () => ledger.close(),
  };
}

function submission(value: JsonObject, name: string, receivedAt: number): Submission | undefined {
  const text = JSON.stringify(value);
  const read = readSubmission(text, text.length, { name, verified: false, protocol: "aop" }, { receivedAt, redacts: () => false });
  return read.ok ? read.submission : undefined;
}

/** Everything in the tables that must be the same after a rebuild, in an order of its own. */
export function dumpViews(path: string): unknown {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return {
      sessions: db
        .prepare("SELECT source, id, started_ms, last_position, last_received_at, row, fold, watch FROM session ORDER BY source, id")
        .all(),
      alerts: db.prepare("SELECT * FROM alert ORDER BY position").all(),
      spawns: db.prepare("SELECT * FROM spawn ORDER BY source, child, parent").all(),
      cuts: db.prepare("SELECT * FROM cutting").all(),
    };
  } finally {
    db.close();
  }
}

/** One event of a session, with a second of its own by its number. */
export function said(session: string, sequence: number, type: string, payload: object = {}, envelope: object = {}): JsonObject {
  const timestamp = new Date(AT + sequence * 1000).toISOString();
  return { spec: "aop/1.0", session_id: session, agent_id: "agent", sequence, timestamp, type, payload, ...envelope } as JsonObject;
}
