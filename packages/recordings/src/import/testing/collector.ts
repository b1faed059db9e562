import { DatabaseSync } from "node:sqlite";

export interface CollectorTestRow {
  readonly session: string;
  readonly sequence: number;
  readonly type?: string;
  readonly payload?: string;
  readonly parent?: string | null;
  readonly version?: string | null;
}

/** A database as an AOP collector writes it, with the tables of its documentation and files. */
export function createCollectorDatabase(path: string, rows: Iterable<CollectorTestRow>): DatabaseSync {
  const db = new DatabaseSync(path);
  db.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE events (
      id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, parent_session_id TEXT, agent_id TEXT NOT NULL,
      agent_version TEXT, sequence INTEGER NOT NULL, timestamp TEXT NOT NULL, type TEXT NOT NULL, payload TEXT NOT NULL,
      created_at TEXT DEFAULT (datetime('now')));
    CREATE INDEX events_session ON events (session_id);
    CREATE TABLE sessions (id TEXT PRIMARY KEY, agent_id TEXT, goal TEXT, status TEXT);
    CREATE TABLE alerts (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, type TEXT, message TEXT);
  `);
  const insert = db.prepare(
    "INSERT INTO events (session_id, parent_session_id, agent_id, agent_version, sequence, timestamp, type, payload) VALUES (?, ?, 'agent', ?, ?, ?, ?, ?)",
  );
  db.exec("BEGIN");
  for (const { session, sequence, type, payload = '{"content": "So it is.", "number":1.0}', parent = null, version = null } of rows) {
    const timestamp = new Date(Date.UTC(2026, 0, 1) + sequence * 1000).toISOString();
    const kind = type ?? (sequence === 1 ? "session.started" : "cognition.thought");
    insert.run(session, parent, version, sequence, timestamp, kind, payload);
  }
  db.exec("COMMIT");
  return db;
}

/** The collector's own export of a session. */
export function exportOf(db: DatabaseSync, session: string): string {
  const rows = db.prepare("SELECT * FROM events WHERE session_id = ? ORDER BY sequence").all(session);
  return rows
    .map(({ session_id, parent_session_id, agent_id, agent_version, sequence, timestamp, type, payload }) => {
      const event = { spec: "aop/1.0", session_id, parent_session_id, agent_id, agent_version, sequence, timestamp, type };
      return JSON.stringify({ ...event, payload: JSON.parse(String(payload)) });
    })
    .join("\n");
}
