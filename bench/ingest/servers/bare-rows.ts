import { DatabaseSync } from "node:sqlite";
import { serveJson, type Take } from "./json-server.ts";

/**
 * The echo server plus one plain row per body: no router, no judging, no chain. With `together`, the bodies of one event loop turn share
 * a commit, as in the hub; with `alone`, each has its own. `unread` shares commits and skips parsing the JSON. Every commit is synced to
 * disk before the answer.
 */
const [path = "", mode = "together"] = process.argv.slice(2);
const db = new DatabaseSync(path);
db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000");
db.exec("CREATE TABLE IF NOT EXISTS row (position INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT");
const insert = db.prepare("INSERT INTO row (position, text) VALUES (?, ?)");
const begin = db.prepare("BEGIN IMMEDIATE");
const commit = db.prepare("COMMIT");
let position = 0;
let waiting: { readonly text: string; readonly answer: Parameters<Take>[1] }[] = [];

serveJson(mode === "alone" ? storeAlone : storeTogether, { parses: mode !== "unread" });

function storeAlone({ text }: Parameters<Take>[0], answer: Parameters<Take>[1]): void {
  begin.run();
  insert.run(++position, text);
  commit.run();
  answer({ position });
}

function storeTogether({ text }: Parameters<Take>[0], answer: Parameters<Take>[1]): void {
  waiting.push({ text, answer });
  if (waiting.length === 1) setImmediate(commitWaiting);
}

function commitWaiting(): void {
  const rows = waiting;
  waiting = [];
  const first = position + 1;
  begin.run();
  for (const { text } of rows) insert.run(++position, text);
  commit.run();
  for (const [index, { answer }] of rows.entries()) answer({ position: first + index });
}
