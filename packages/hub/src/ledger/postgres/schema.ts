/** The version of the tables below. Hubs refuse a newer database and migrate an older one. */
export const POSTGRES_FORMAT = 2;

/** The schema of all tables, beside anything else in the database. */
export const SCHEMA_NAME = "earshot";

/** The clock that all hubs share, in milliseconds since 1970. It goes on during a transaction. */
export const DATABASE_NOW = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/** Name of the lease whose holder applies deadlines and retention. */
export const LEASE = "upkeep";

/**
 * The same tables as in SQLite, where the columns are described. `ledger` has one row per shard, whose lock is the append lock. Only
 * shard 0 is used.
 */
export const POSTGRES_SCHEMA = `
CREATE TABLE ledger (
  shard smallint PRIMARY KEY,
  format integer NOT NULL,
  head bigint NOT NULL,
  -- Of the texts of all entries.
  bytes bigint NOT NULL DEFAULT 0,
  -- Public half of the key that signs: a hub with another key would make what is there look forged.
  signed_by text
);
CREATE TABLE source (
  key bigint PRIMARY KEY,
  protocol text NOT NULL,
  name text NOT NULL,
  UNIQUE (protocol, name)
);
CREATE TABLE session (
  key bigint PRIMARY KEY,
  shard smallint NOT NULL DEFAULT 0,
  source bigint NOT NULL REFERENCES source (key),
  id text NOT NULL,
  last bigint NOT NULL,
  head bytea,
  cut bigint NOT NULL DEFAULT 0,
  state_at bigint NOT NULL DEFAULT 0,
  state text,
  UNIQUE (source, id)
);
CREATE INDEX session_id ON session (id);
CREATE TABLE entry (
  position bigint PRIMARY KEY,
  session bigint NOT NULL REFERENCES session (key),
  received_at bigint NOT NULL,
  kind smallint NOT NULL,
  verified smallint NOT NULL,
  type text NOT NULL,
  agent text NOT NULL,
  sequence bigint,
  identity text,
  said bytea,
  notes text,
  text text NOT NULL,
  hash bytea NOT NULL,
  repeated smallint NOT NULL DEFAULT 0,
  name_used_at bigint
);
CREATE INDEX entry_session ON entry (session, position);
CREATE INDEX entry_sequence ON entry (session, sequence, position) WHERE sequence IS NOT NULL;
CREATE INDEX entry_identity ON entry (identity) WHERE identity IS NOT NULL;
CREATE TABLE answerable (
  source bigint NOT NULL,
  name text NOT NULL,
  agent text NOT NULL,
  session bigint NOT NULL,
  position bigint NOT NULL,
  PRIMARY KEY (source, name, position)
);
CREATE INDEX answerable_position ON answerable (position);
CREATE TABLE request (
  id text PRIMARY KEY,
  kind text NOT NULL,
  position bigint NOT NULL,
  session bigint NOT NULL REFERENCES session (key),
  opened_at bigint NOT NULL,
  deadline_at bigint,
  state text NOT NULL,
  card text NOT NULL,
  digest text NOT NULL,
  settled_by bigint
);
CREATE INDEX request_position ON request (position);
CREATE INDEX request_state ON request (state, position);
CREATE INDEX request_session ON request (session, position);
CREATE TABLE refused (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  received_at bigint NOT NULL,
  source text NOT NULL,
  problem text NOT NULL,
  text text NOT NULL,
  size_bytes bigint NOT NULL
);
CREATE TABLE count (
  what text NOT NULL,
  source text NOT NULL,
  how_many bigint NOT NULL,
  last_at bigint NOT NULL,
  PRIMARY KEY (what, source)
);
CREATE TABLE seal (
  number bigint PRIMARY KEY,
  up_to bigint NOT NULL,
  line text NOT NULL
);
CREATE TABLE tombstone (
  number bigint PRIMARY KEY,
  session bigint NOT NULL REFERENCES session (key),
  up_to bigint NOT NULL,
  head bytea NOT NULL,
  line text NOT NULL
);
CREATE INDEX tombstone_session ON tombstone (session, up_to);
INSERT INTO ledger (shard, format, head) VALUES (0, 1, 0);
`;

/**
 * The additions of each format to the one before, from format 2 on. Hubs of an older version may be running meanwhile: only add tables,
 * and columns that may be null or have a default.
 */
export const POSTGRES_MIGRATIONS: readonly string[] = [
  `
-- When a poll of the asker was last under way, at any hub.
ALTER TABLE request ADD COLUMN heard_at bigint;
-- One row per hub that runs or ran in the last day. Times are those of this database, in milliseconds since 1970.
CREATE TABLE hub (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  url text NOT NULL,
  version text NOT NULL,
  started_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  position bigint NOT NULL DEFAULT 0,
  -- When an approver last did something at this hub.
  acted_at bigint NOT NULL DEFAULT 0
);
-- The hub that has a lease does what must be done once. The fence grows with each new holder.
CREATE TABLE lease (
  name text PRIMARY KEY,
  hub bigint NOT NULL,
  fence bigint NOT NULL,
  until bigint NOT NULL
);
-- What a single hub keeps in files and several hubs share.
CREATE TABLE document (
  name text PRIMARY KEY,
  version bigint NOT NULL,
  text text NOT NULL
);
`,
];
