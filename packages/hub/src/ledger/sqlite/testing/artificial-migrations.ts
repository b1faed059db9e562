import { MIGRATIONS, type Migration } from "../migrations.ts";
import { FORMAT_VERSION } from "../schema.ts";

/** Two invented versions above the newest: a new table filled from an old one, then a column. */
export const THREE_VERSIONS: readonly Migration[] = [
  ...MIGRATIONS,
  {
    version: FORMAT_VERSION + 1,
    apply: (db) => db.exec("CREATE TABLE label (name TEXT NOT NULL) STRICT; INSERT INTO label SELECT name FROM source ORDER BY key"),
  },
  { version: FORMAT_VERSION + 2, apply: (db) => db.exec("ALTER TABLE label ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey'") },
];
