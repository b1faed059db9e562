/** Raised whenever tables, folds or rules change: a file of any other version is thrown away and built anew. */
export const VIEW_VERSION = 6;

/** The tables of the views. What is unbounded in number has a row of its own; the rest of a session is in its fold. */
export const VIEW_SCHEMA = `
-- key: as in the ledger. lane: see session-view.ts. due_at: when the passing of time may raise an alert.
-- started_ms: of AOP sessions, by the agent's clock.
-- parent_said: the id that the session itself names. parent_key: derived from that and from spawn, see family.ts.
CREATE TABLE session (
  key INTEGER PRIMARY KEY,
  protocol TEXT NOT NULL,
  source TEXT NOT NULL,
  id TEXT NOT NULL,
  agent TEXT NOT NULL,
  lane TEXT NOT NULL,
  last_heard_at INTEGER NOT NULL,
  last_position INTEGER NOT NULL,
  conversation TEXT,
  parent_said TEXT,
  parent_key INTEGER,
  cost INTEGER,
  tokens INTEGER,
  due_at INTEGER,
  started_ms REAL,
  view TEXT NOT NULL,
  state TEXT NOT NULL,
  UNIQUE (protocol, source, id)
) STRICT;
CREATE INDEX session_id ON session (id, last_position);
CREATE INDEX session_heard ON session (last_heard_at, key);
CREATE INDEX session_lane ON session (lane, last_heard_at, key);
CREATE INDEX session_agent ON session (agent, last_heard_at, key);
CREATE INDEX session_protocol ON session (protocol, last_heard_at, key);
CREATE INDEX session_roots ON session (last_heard_at, key) WHERE parent_key IS NULL;
CREATE INDEX session_parent ON session (parent_key) WHERE parent_key IS NOT NULL;
CREATE INDEX session_parent_said ON session (parent_said) WHERE parent_said IS NOT NULL;
CREATE INDEX session_conversation ON session (conversation) WHERE conversation IS NOT NULL;
CREATE INDEX session_due ON session (due_at, key) WHERE due_at IS NOT NULL;
CREATE INDEX session_started ON session (started_ms, key) WHERE started_ms IS NOT NULL;
CREATE INDEX session_activity ON session (last_position, key) WHERE started_ms IS NOT NULL;
CREATE INDEX session_cost ON session (cost, tokens, key) WHERE cost IS NOT NULL OR tokens IS NOT NULL;

-- name: of the call or output within its session, see joining.ts. position: of the entry at which it is shown.
CREATE TABLE call (
  session INTEGER NOT NULL,
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  fold TEXT NOT NULL,
  UNIQUE (session, name)
) STRICT;
CREATE INDEX call_position ON call (session, position, name);
CREATE TABLE output (
  session INTEGER NOT NULL,
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  fold TEXT NOT NULL,
  UNIQUE (session, name)
) STRICT;
-- What an entry belongs to that carries no id.
CREATE TABLE part (
  session INTEGER NOT NULL,
  position INTEGER NOT NULL,
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (session, position, number)
) STRICT, WITHOUT ROWID;

-- Which session says that it spawned which.
CREATE TABLE spawn (
  protocol TEXT NOT NULL,
  source TEXT NOT NULL,
  child TEXT NOT NULL,
  parent_key INTEGER NOT NULL,
  parent TEXT NOT NULL,
  because TEXT NOT NULL,
  PRIMARY KEY (protocol, source, child, parent_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX spawn_parent ON spawn (parent_key);

-- Sums of what was supplied, with how often. session 0: all of them. day '': all of them. cost: billionths of a dollar.
CREATE TABLE cost (
  session INTEGER NOT NULL,
  grouped TEXT NOT NULL,
  name TEXT NOT NULL,
  day TEXT NOT NULL,
  cost INTEGER NOT NULL,
  cost_count INTEGER NOT NULL,
  input INTEGER NOT NULL,
  input_count INTEGER NOT NULL,
  output INTEGER NOT NULL,
  output_count INTEGER NOT NULL,
  total INTEGER NOT NULL,
  total_count INTEGER NOT NULL,
  events INTEGER NOT NULL,
  PRIMARY KEY (session, grouped, name, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX cost_day ON cost (grouped, day, session) WHERE day <> '';

-- number: made from the position of the entry that raised it, hence the same whenever it is raised again.
CREATE TABLE alert (
  number INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  session INTEGER NOT NULL,
  position INTEGER NOT NULL,
  type TEXT NOT NULL,
  alert TEXT NOT NULL
) STRICT;
CREATE INDEX alert_at ON alert (at, number);
CREATE INDEX alert_session ON alert (session, at, number);
CREATE INDEX alert_type ON alert (type, at, number);
CREATE INDEX alert_position ON alert (session, position);

-- Everything up to and including this position of the ledger is in the tables. received_at: of the entry there.
-- removal: number of the last removal of the ledger that the tables have followed.
CREATE TABLE watermark (
  only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
  position INTEGER NOT NULL,
  received_at INTEGER,
  removal INTEGER NOT NULL
) STRICT;
INSERT INTO watermark VALUES (1, 0, NULL, 0);
`;
