import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";

/**
 * The same HTTP server as the echo, keeping each body as one bare row and nothing else: no router, no reading, no
 * judging, no chain. With `together`, whatever arrives in one turn of the event loop shares a commit, as in the hub; with `alone`,
 * each row has its own. Every commit is synced to disk before it is answered.
 */
const [path = "", mode = "together"] = process.argv.slice(2);
const db = new DatabaseSync(path);
db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000");
db.exec("CREATE TABLE IF NOT EXISTS row (position INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT");
const insert = db.prepare("INSERT INTO row (position, text) VALUES (?, ?)");
const begin = db.prepare("BEGIN IMMEDIATE");
const commit = db.prepare("COMMIT");
let position = 0;
let waiting: { readonly text: string; readonly stored: (position: number) => void }[] = [];

const server = createServer({ noDelay: true, keepAliveTimeout: 72_000 }, (request, response) => void take(request, response));
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await gather(request);
  const answer = `{"position":${await (mode === "alone" ? storeAlone(text) : storeTogether(text))}}`;
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(answer) });
  response.end(answer);
}

function storeAlone(text: string): number {
  begin.run();
  insert.run(++position, text);
  commit.run();
  return position;
}

function storeTogether(text: string): Promise<number> {
  return new Promise((stored) => {
    waiting.push({ text, stored });
    if (waiting.length === 1) setImmediate(commitWaiting);
  });
}

function commitWaiting(): void {
  const rows = waiting;
  waiting = [];
  const first = position + 1;
  begin.run();
  for (const { text } of rows) insert.run(++position, text);
  commit.run();
  for (const [index, { stored }] of rows.entries()) stored(first + index);
}

function gather(request: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => resolve((chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString()));
  });
}
