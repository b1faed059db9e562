/** The ledger's file format. The version changes with it, and `MIGRATION` migrates older files. */
export const FORMAT_VERSION = 4;

/** Unchanged since the first version. */
const KEPT_TABLES = `
CREATE TABLE source (
  key INTEGER PRIMARY KEY,
  protocol TEXT NOT NULL,
  name TEXT NOT NULL,
  UNIQUE (protocol, name)
) STRICT;

-- kind: 0 event, 1 message, 2 decision, 3 late decision.
-- identity: what recognises the entry when it comes again; NULL where (session, sequence) does.
-- said: SHA-256 of the text as submitted, where less of it was stored; of its content, where it was erased.
-- notes: flags and redactions as JSON, NULL for none. hash: see chain.ts.
CREATE TABLE entry (
  position INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES session (key),
  received_at INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  verified INTEGER NOT NULL,
  type TEXT NOT NULL,
  agent TEXT NOT NULL,
  sequence INTEGER,
  identity TEXT,
  said BLOB,
  notes TEXT,
  text TEXT NOT NULL,
  hash BLOB NOT NULL
) STRICT;

-- Names under which a message may answer an event.
CREATE TABLE answerable (
  source INTEGER NOT NULL,
  name TEXT NOT NULL,
  agent TEXT NOT NULL,
  session INTEGER NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (source, name, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX answerable_position ON answerable (position);

CREATE TABLE refused (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  received_at INTEGER NOT NULL,
  source TEXT NOT NULL,
  problem TEXT NOT NULL,
  text TEXT NOT NULL,
  size_bytes INTEGER NOT NULL
) STRICT;

CREATE TABLE count (
  what TEXT NOT NULL,
  source TEXT NOT NULL,
  how_many INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (what, source)
) STRICT, WITHOUT ROWID;

-- Signed lines: see checkpoints.ts. The same lines are appended to a file beside the ledger.
CREATE TABLE seal (
  number INTEGER PRIMARY KEY,
  up_to INTEGER NOT NULL,
  line TEXT NOT NULL
) STRICT;

-- The removal log. head is the hash of the last entry removed; up_to is 0 where one entry was erased.
CREATE TABLE tombstone (
  number INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES session (key),
  up_to INTEGER NOT NULL,
  head BLOB NOT NULL,
  line TEXT NOT NULL
) STRICT;
CREATE INDEX tombstone_session ON tombstone (session, up_to);
`;

const NEW_TABLES = `
-- One row: the highest position that was ever given.
CREATE TABLE ledger (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  head INTEGER NOT NULL
) STRICT;

-- last, head: position and hash of its last entry, also when that was removed. Entries up to cut are removed.
-- state: the session's lifecycle after the entry at state_at. Later entries are replayed when the session is loaded.
CREATE TABLE session (
  key INTEGER PRIMARY KEY,
  source INTEGER NOT NULL REFERENCES source (key),
  id TEXT NOT NULL,
  last INTEGER NOT NULL,
  head BLOB,
  cut INTEGER NOT NULL DEFAULT 0,
  state_at INTEGER NOT NULL DEFAULT 0,
  state TEXT,
  UNIQUE (source, id)
) STRICT;
CREATE INDEX session_id ON session (id);

CREATE TABLE request (
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  position INTEGER NOT NULL,
  session INTEGER NOT NULL REFERENCES session (key),
  opened_at INTEGER NOT NULL,
  deadline_at INTEGER,
  state TEXT NOT NULL,
  card TEXT NOT NULL,
  digest TEXT NOT NULL,
  settled_by INTEGER
) STRICT;
CREATE INDEX request_position ON request (position);
CREATE INDEX request_state ON request (state, position);
CREATE INDEX request_session ON request (session, position);

CREATE INDEX entry_session ON entry (session, position);
CREATE INDEX entry_sequence ON entry (session, sequence, position) WHERE sequence IS NOT NULL;
CREATE INDEX entry_identity ON entry (identity) WHERE identity IS NOT NULL;
`;

/** Columns that replaying an entry needs besides its text. The hash does not cover it. */
const NEW_COLUMNS = `
ALTER TABLE entry ADD COLUMN repeated INTEGER NOT NULL DEFAULT 0;
ALTER TABLE entry ADD COLUMN name_used_at INTEGER;
`;

export const SCHEMA = `${KEPT_TABLES}${NEW_COLUMNS}${NEW_TABLES}
INSERT INTO ledger VALUES (1, 0);
`;

const DROPPED_INDEXES = ["session_id", "entry_session", "entry_sequence", "entry_identity", "request_state", "request_session"];

/**
 * Migrates the formats of Earshot 0.1 (versions 1 to 3). No entry, seal or tombstone changes, so all signatures stay valid. `session`
 * takes over the lifecycle table and earlier lookups: its last entry, and how far it was cut.
 */
export const MIGRATION = `
DROP TRIGGER IF EXISTS entry_removed;
DROP TABLE IF EXISTS entry_by_session;
DROP TABLE IF EXISTS entry_by_sequence;
DROP TABLE IF EXISTS entry_by_identity;
DROP TABLE IF EXISTS filed;
${DROPPED_INDEXES.map((index) => `DROP INDEX IF EXISTS ${index};`).join("\n")}
ALTER TABLE session RENAME TO old_session;
ALTER TABLE request RENAME TO old_request;
${NEW_COLUMNS}
${NEW_TABLES}
INSERT INTO ledger SELECT 1, max(ifnull((SELECT max(position) FROM entry), 0),
  ifnull((SELECT max(up_to) FROM tombstone), 0), ifnull((SELECT max(up_to) FROM seal), 0));
INSERT INTO session (key, source, id, last, head, cut, state_at, state)
  SELECT key, source, id, max(newest, cut),
    CASE WHEN newest > cut THEN (SELECT hash FROM entry WHERE entry.position = newest)
      ELSE (SELECT head FROM tombstone WHERE session = key AND up_to = cut AND cut > 0) END,
    cut, max(ifnull(lifecycle.position, 0), cut), state
  FROM (SELECT *, ifnull((SELECT max(position) FROM entry WHERE session = key), 0) AS newest,
    ifnull((SELECT max(up_to) FROM tombstone WHERE session = key), 0) AS cut FROM old_session)
  LEFT JOIN lifecycle ON lifecycle.session = key;
UPDATE entry SET
    repeated = sequence IS NOT NULL AND agent IN (SELECT agent FROM (SELECT agent FROM entry AS other
      WHERE other.session = entry.session AND other.sequence = entry.sequence AND other.position < entry.position AND other.position > cut
      ORDER BY other.position LIMIT 64)),
    name_used_at = (SELECT max(earlier.position) FROM answerable AS own JOIN answerable AS earlier USING (source, name, agent)
      WHERE own.position = entry.position AND earlier.position < entry.position)
  FROM session WHERE entry.session = session.key AND entry.position > max(cut, state_at);
INSERT INTO request (id, kind, position, session, opened_at, deadline_at, state, card, digest, settled_by)
  SELECT id, kind, position, session, opened_at, deadline_at, state, card, digest, settled_by FROM old_request ORDER BY position;
DROP TABLE lifecycle;
DROP TABLE old_request;
DROP TABLE old_session;
`;
