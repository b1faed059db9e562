import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { hubHomeOf, startHub } from "@earshot/hub";
import { expect, test } from "vitest";
import { conformanceRecording } from "../../../protocol/testing/conformance.ts";
import { CollectorDatabase } from "./collector-database.ts";
import { type ImportOptions, importFile } from "./import-file.ts";
import { createCollectorDatabase, exportOf } from "./testing/collector.ts";

function temporary(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "earshot-import-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

const startIn = (folder: string) => startHub({ home: hubHomeOf({ EARSHOT_HOME: join(folder, "home") }), version: "0", port: 0 });

function optionsFor(url?: string): ImportOptions {
  return { stdin: Readable.from([]), onProgress: () => {}, onWait: () => {}, ...(url === undefined ? {} : { url }) };
}

const ROWS = Array.from({ length: 1200 }, (_, index) => ({ session: `s${index % 3}`, sequence: Math.floor(index / 3) + 1 }));

test("a collector's database, its exports and what the hub heard itself are the same events", async () => {
  using folder = temporary();
  const path = join(folder.path, "events.db");
  const exported = join(folder.path, "s1.jsonl");
  {
    using db = createCollectorDatabase(path, ROWS);
    writeFileSync(exported, exportOf(db, "s1"));
  }
  await using hub = await startIn(folder.path);
  const heard = {
    spec: "aop/1.0",
    session_id: "s0",
    parent_session_id: null,
    agent_id: "agent",
    sequence: 1,
    timestamp: "2026-01-01T00:00:01.000Z",
    type: "session.started",
    payload: { content: "So it is.", number: 1 },
  };
  await fetch(`${hub.url}/events`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(heard) });
  expect(await importFile(path, optionsFor(hub.url))).toMatchObject({
    kind: "collector database",
    events: 1200,
    stored: 1199,
    known: 1,
    refused: 0,
    damaged: 0,
  });
  expect(await importFile(path, optionsFor(hub.url))).toMatchObject({ stored: 0, known: 1200 });
  expect(await importFile(exported, optionsFor(hub.url))).toMatchObject({ kind: "recording", events: 400, stored: 0, known: 400 });
  const { entries } = await hub.ledger.read({ after: 1, limit: 1 });
  expect(entries[0]?.text).toBe(
    '{"spec":"aop/1.0","session_id":"s1","parent_session_id":null,"agent_id":"agent","sequence":1,"timestamp":"2026-01-01T00:00:01.000Z","type":"session.started","payload":{"content": "So it is.", "number":1.0}}',
  );
});

test("damaged rows and refused events are named by their rows, and the others are stored", async () => {
  using folder = temporary();
  const path = join(folder.path, "events.db");
  {
    using db = createCollectorDatabase(path, [
      { session: "s", sequence: 1 },
      { session: "s", sequence: 2, payload: '{"half":' },
      { session: "s", sequence: 3, payload: '{},"sequence":9' },
      { session: "s", sequence: -4 },
      { session: "s", sequence: 5, parent: "p", version: "2" },
    ]);
    db.exec("UPDATE events SET sequence = 9223372036854775807 WHERE id = 1; UPDATE events SET type = x'00' WHERE id = 5");
    db.exec(
      "INSERT INTO events (session_id, agent_id, sequence, timestamp, type, payload) VALUES ('s', 'a', 6, '2026-01-01T00:00:06.000Z', 't.u', '{}')",
    );
  }
  await using hub = await startIn(folder.path);
  const result = await importFile(path, optionsFor(hub.url));
  expect(result).toMatchObject({ events: 6, stored: 1, refused: 2, damaged: 3 });
  expect(result.problems.map(({ place }) => place).toSorted()).toEqual(["row 1", "row 2", "row 3", "row 4", "row 5"]);
  expect(result.problems.find(({ place }) => place === "row 5")?.message).toContain("type");
});

test("a database that is in use is read with its log, and left as it is", async () => {
  using folder = temporary();
  const path = join(folder.path, "events.db");
  using db = createCollectorDatabase(path, ROWS.slice(0, 30));
  const before = [path, `${path}-wal`].map((file) => readFileSync(file));
  {
    using collector = new CollectorDatabase(path);
    expect(collector.page(0)).toHaveLength(30);
    db.exec("INSERT INTO events (session_id, agent_id, sequence, timestamp, type, payload) VALUES ('s', 'a', 6, 't', 't.u', '{}')");
    expect(collector.page(29)).toHaveLength(1); // what comes meanwhile is for the next time
    db.exec("DELETE FROM events WHERE id = 31");
  }
  expect(readFileSync(path).equals(before[0] ?? Buffer.alloc(0))).toBe(true);
  db.close();
  expect(existsSync(`${path}-wal`)).toBe(false);
  const closed = readFileSync(path);
  expect((await importFile(path, optionsFor())).events).toBe(30);
  expect(readFileSync(path).equals(closed)).toBe(true);
  expect(existsSync(`${path}-shm`) || existsSync(`${path}-wal`)).toBe(false);
  db.open();
});

test("recordings of any protocol are told by content, compressed or not, and their lines are named", async () => {
  using folder = temporary();
  await using hub = await startIn(folder.path);
  for (const protocol of ["aaep", "aep", "aop"]) {
    const recording = conformanceRecording(`${protocol}/valid/generated-1`);
    const path = join(folder.path, `${protocol}.db`);
    writeFileSync(path, gzipSync(recording));
    const lines = recording.trim().split("\n").length;
    const first = await importFile(path, optionsFor(hub.url));
    expect(first).toMatchObject({ kind: "recording", events: lines, refused: 0, damaged: 0 });
    expect(first.stored + first.known).toBe(lines);
    expect(await importFile(path, optionsFor(hub.url))).toMatchObject({ stored: 0, known: lines });
  }
  const odd = join(folder.path, "odd.jsonl");
  writeFileSync(odd, 'not json\n{"neither":"protocol"}\n');
  const { problems } = await importFile(odd, optionsFor(hub.url));
  expect(problems.map(({ place }) => place)).toEqual(["line 1", "line 2"]);
});

test("what is no collector's database is said, and a dry run needs no hub", async () => {
  using folder = temporary();
  const path = join(folder.path, "events.db");
  createCollectorDatabase(path, ROWS).close();
  expect(await importFile(path, optionsFor())).toMatchObject({ events: 1200, stored: 0, damaged: 0 });
  const other = join(folder.path, "other.db");
  {
    using db = createCollectorDatabase(other, []);
    db.exec("ALTER TABLE events DROP COLUMN payload");
  }
  expect((await importFile(other, optionsFor())).stopped).toContain("no payload");
  expect((await importFile(join(folder.path, "absent.db"), optionsFor())).stopped).toContain("no such file");
});

test("a hub that is full or gone for a while is waited for, and nothing is counted twice", async () => {
  using folder = temporary();
  const path = join(folder.path, "events.db");
  createCollectorDatabase(path, ROWS.slice(0, 10)).close();
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      asked++;
      if (asked === 1) request.socket.destroy();
      else if (asked === 2) response.writeHead(507).end('{"message":"The disk is full.","stored":4}');
      else response.end('{"events":10,"stored":6,"duplicates":4,"refused":0,"flagged":0,"problems":[]}');
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  const waits: string[] = [];
  const result = await importFile(path, { ...optionsFor(`http://127.0.0.1:${port}`), onWait: (why) => waits.push(why) });
  server.close();
  expect(result).toMatchObject({ stored: 10, known: 0 });
  expect(waits).toEqual(["the hub does not answer", "The disk is full."]);
});
