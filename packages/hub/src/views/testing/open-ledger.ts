import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { JsonObject, ProtocolName } from "@earshot/protocol";
import { createLifecycle } from "../../intake/lifecycle.ts";
import { readSubmission } from "../../intake/submission.ts";
import type { Ledger, SessionInfo, Submission } from "../../ledger/ledger.ts";
import { openSqliteLedger } from "../../ledger/sqlite/open-ledger.ts";
import type { LedgerReading } from "../ledger-reading.ts";
import { type OpenViews, openViews, type ViewsOptions } from "../open-views.ts";
import { startWorkerHere } from "./worker-here.ts";

export const LEDGER_START_MS = Date.UTC(2026, 2, 1, 10);

export interface ViewsLedger extends AsyncDisposable {
  readonly ledger: Ledger;
  readonly path: string;
  /** Appends events in one batch, without those the hub refuses. Returns the last position. */
  say(values: readonly JsonObject[], source?: string, protocol?: ProtocolName): Promise<number>;
  session(id: string, source?: string, protocol?: ProtocolName): Promise<SessionInfo>;
  /** The hub's clock, in Unix milliseconds. */
  setClock(now: number): void;
}

/** A real ledger with a way to append events. The clock advances a millisecond per event. */
export function openViewsLedger(path: string): ViewsLedger {
  const lifecycle = createLifecycle({ strict: false });
  let now = LEDGER_START_MS;
  const ledger = openSqliteLedger(path, { lifecycle, now: () => now });
  return {
    ledger,
    path,
    async say(values, source = "local", protocol = "aop") {
      const submissions = values.flatMap((value) => submission(value, source, protocol, ++now) ?? []);
      const verdicts = await ledger.append(submissions);
      return verdicts.reduce((last, verdict) => (verdict.ok ? Math.max(last, verdict.position) : last), 0);
    },
    async session(id, source = "local", protocol = "aop") {
      const found = (await ledger.findSessions(id, protocol)).find((one) => one.source === source);
      if (found === undefined) throw new Error(`No session ${id} of ${source}.`);
      return found;
    },
    setClock(moment) {
      now = moment;
    },
    [Symbol.asyncDispose]: () => ledger.close(),
  };
}

function submission(value: JsonObject, name: string, protocol: ProtocolName, receivedAt: number): Submission | undefined {
  const text = JSON.stringify(value);
  const read = readSubmission(text, text.length, { name, verified: false, protocol }, { receivedAt, redacts: () => false });
  return read.ok ? read.submission : undefined;
}

/** Views that run in this thread on the ledger's file; the clock stands still. */
export function openViewsHere(
  speaker: ViewsLedger,
  path: string,
  options: Partial<ViewsOptions> & { readonly reading?: LedgerReading } = {},
): Promise<OpenViews> {
  const { reading, ...others } = options;
  const { ledger, path: ledgerAt } = speaker;
  return openViews({ path, ledger, ledgerAt, now: () => LEDGER_START_MS, log: () => {}, start: startWorkerHere(reading), ...others });
}

/** Everything in the tables that must be equal after a rebuild, sorted. */
export function dumpViews(path: string): Readonly<Record<string, readonly object[]>> {
  if (!existsSync(path)) return {}; // nothing was ever said
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = (sql: string) => db.prepare(sql).all();
    return {
      sessions: rows("SELECT * FROM session ORDER BY key"),
      assembled: rows("SELECT session, kind, name, position, fold FROM assembled ORDER BY session, kind, name"),
      parts: rows("SELECT * FROM part ORDER BY session, position, number"),
      spawns: rows("SELECT * FROM spawn ORDER BY protocol, source, child, parent_key"),
      costs: rows("SELECT * FROM cost ORDER BY session, grouped, name, day"),
      alerts: rows("SELECT * FROM alert ORDER BY number"),
      texts: rows("SELECT rowid, * FROM search ORDER BY rowid"),
    };
  } finally {
    db.close();
  }
}

/** One event of a session; its number determines its second. */
export function aopEventOf(session: string, sequence: number, type: string, payload: object = {}, envelope: object = {}): JsonObject {
  const timestamp = new Date(LEDGER_START_MS + sequence * 1000).toISOString();
  return { spec: "aop/1.0", session_id: session, agent_id: "agent", sequence, timestamp, type, payload, ...envelope } as JsonObject;
}
