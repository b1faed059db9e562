import { DatabaseSync } from "node:sqlite";

/** Creates a small ledger in one of the three formats of Earshot 0.1. Independent of `schema.ts`, because these never change. */
export function createOlderLedger(path: string, version: number): void {
  using db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  db.exec(VERSION_1);
  for (const step of [TO_VERSION_2, TO_VERSION_3].slice(0, version - 1)) db.exec(step);
  db.exec(`PRAGMA user_version = ${version}`);
}

const VERSION_1 = `
PRAGMA application_id = 1164014195;
PRAGMA user_version = 1;
CREATE TABLE source (
  key INTEGER PRIMARY KEY,
  protocol TEXT NOT NULL,
  name TEXT NOT NULL,
  UNIQUE (protocol, name)
) STRICT;

CREATE TABLE session (
  key INTEGER PRIMARY KEY,
  source INTEGER NOT NULL REFERENCES source (key),
  id TEXT NOT NULL,
  UNIQUE (source, id)
) STRICT;
CREATE INDEX session_id ON session (id);

-- kind: 0 event, 1 message, 2 decision, 3 late decision.
-- identity: what recognises the entry when it comes again; NULL where (session, sequence) does.
-- said: SHA-256 of the text as submitted, where less of it was stored.
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
CREATE INDEX entry_session ON entry (session, position);
CREATE INDEX entry_sequence ON entry (session, sequence) WHERE sequence IS NOT NULL;
CREATE INDEX entry_identity ON entry (identity) WHERE identity IS NOT NULL;

-- The session's lifecycle after the entry at position. Later entries of the session are heard again when it is taken up.
CREATE TABLE lifecycle (
  session INTEGER PRIMARY KEY REFERENCES session (key),
  position INTEGER NOT NULL,
  state TEXT NOT NULL
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

CREATE TABLE request (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  position INTEGER NOT NULL,
  session INTEGER NOT NULL REFERENCES session (key),
  opened_at INTEGER NOT NULL,
  deadline_at INTEGER,
  state TEXT NOT NULL,
  card TEXT NOT NULL,
  digest TEXT NOT NULL,
  settled_by INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX request_state ON request (state, position);
CREATE INDEX request_session ON request (session, position);

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

-- Signed lines: see seal.ts. The same lines are appended to a file beside the ledger.
CREATE TABLE seal (
  number INTEGER PRIMARY KEY,
  up_to INTEGER NOT NULL,
  line TEXT NOT NULL
) STRICT;

-- What was cut out of a session, up to and including a position; head is the hash of the last entry cut.
CREATE TABLE tombstone (
  number INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES session (key),
  up_to INTEGER NOT NULL,
  head BLOB NOT NULL,
  line TEXT NOT NULL
) STRICT;
CREATE INDEX tombstone_session ON tombstone (session, up_to);
INSERT INTO source VALUES (1, 'aep', 'local');
INSERT INTO session VALUES (1, 1, 'session-1');
INSERT INTO entry VALUES (1, 1, 1767225600000, 0, 1, 'task.created', 'tidy', NULL, '1 event-1', NULL, NULL, '{"id":"event-1"}', X'c7bc8f35944823afd83d4561be0c1c2ac528847676b5e55e04764efa7e8dcd24');
INSERT INTO entry VALUES (2, 1, 1767225600001, 0, 1, 'task.ended', 'tidy', 7, NULL, NULL, '{"redactions":[]}', '{"id":"event-2"}', X'70379160f7b32c16106e9ae33a38cf7dfd10666c3074a3627d279e99b6da9773');
PRAGMA journal_mode = WAL;
`;

const TO_VERSION_2 = `
ALTER TABLE request RENAME TO request_by_id;
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
INSERT INTO request (id, kind, position, session, opened_at, deadline_at, state, card, digest, settled_by)
  SELECT id, kind, position, session, opened_at, deadline_at, state, card, digest, settled_by FROM request_by_id ORDER BY position;
DROP TABLE request_by_id;
CREATE INDEX request_state ON request (state, position);
CREATE INDEX request_session ON request (session, position);
`;

const TO_VERSION_3 = `
CREATE TABLE entry_by_session (
  session INTEGER NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (session, position)
) STRICT, WITHOUT ROWID;
INSERT INTO entry_by_session SELECT session, position FROM entry ORDER BY session, position;
DROP INDEX entry_session;

CREATE TABLE entry_by_sequence (
  session INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (session, sequence, position)
) STRICT, WITHOUT ROWID;
INSERT INTO entry_by_sequence
  SELECT session, sequence, position FROM entry WHERE sequence IS NOT NULL ORDER BY session, sequence, position;
DROP INDEX entry_sequence;

CREATE TABLE entry_by_identity (
  identity TEXT NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (identity, position)
) STRICT, WITHOUT ROWID;
INSERT INTO entry_by_identity SELECT identity, position FROM entry WHERE identity IS NOT NULL ORDER BY identity, position;
DROP INDEX entry_identity;

-- One row: up to and including this position, entries stand in the three.
CREATE TABLE filed (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  up_to INTEGER NOT NULL
) STRICT;
INSERT INTO filed SELECT 1, ifnull(max(position), 0) FROM entry;

CREATE TRIGGER entry_removed AFTER DELETE ON entry BEGIN
  DELETE FROM entry_by_session WHERE session = OLD.session AND position = OLD.position;
  DELETE FROM entry_by_sequence WHERE session = OLD.session AND sequence = OLD.sequence AND position = OLD.position;
  DELETE FROM entry_by_identity WHERE identity = OLD.identity AND position = OLD.position;
END;
`;
