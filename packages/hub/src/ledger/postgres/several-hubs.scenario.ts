import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPostgres, type TestPostgres } from "../../../../../tools/postgres.ts";
import { createLifecycle } from "../../intake/lifecycle.ts";
import { readSubmission } from "../../intake/submission.ts";
import type { NewRequest, RequestDecision } from "../../request.ts";
import type { StoredVerdict } from "../../verdict.ts";
import type { Ledger, Submission } from "../ledger.ts";
import { openPostgresLedger } from "./open-ledger.ts";

const WRITERS = 12;
const EVENTS_PER_WRITER = 25;
const NOW = Date.UTC(2026, 0, 2);

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

interface Hubs extends AsyncDisposable {
  readonly ledgers: readonly [Ledger, Ledger, Ledger];
}

/** Three ledgers on one database, as opened by three hubs. They share the signing key. */
async function openHubs(database: string): Promise<Hubs> {
  const folder = mkdtempSync(join(tmpdir(), "earshot-hubs-"));
  const address = await server.createDatabase(database);
  const open = () => openPostgresLedger({ address, folder, lifecycle: createLifecycle({ strict: false }), now: () => NOW });
  const ledgers = [await open(), await open(), await open()] as const;
  return {
    ledgers,
    [Symbol.asyncDispose]: async () => {
      for (const ledger of ledgers) await ledger.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function event(session: string, sequence: number, request?: NewRequest): Submission {
  const text = JSON.stringify({
    spec: "aop/1.0",
    session_id: session,
    agent_id: "a1",
    sequence,
    timestamp: "2026-01-02T03:04:05.678Z",
    type: sequence === 1 ? "session.started" : "cognition.thought",
    payload: sequence === 1 ? {} : { content: `Thought ${sequence}` },
  });
  const read = readSubmission(
    text,
    text.length,
    { name: "local", verified: request !== undefined },
    { receivedAt: NOW, redacts: () => true },
  );
  if (!read.ok) throw new Error(read.problem.message);
  return request === undefined ? read.submission : { ...read.submission, request };
}

/** Reads on from its position until it has as many entries as were stored, like every listener. */
async function follow(
  wanted: number,
  readAfter: (position: number) => Promise<readonly number[]>,
  isOver: () => boolean,
): Promise<readonly number[]> {
  const seen: number[] = [];
  while (seen.length < wanted) {
    const wasOver = isOver();
    const page = await readAfter(seen.at(-1) ?? 0);
    seen.push(...page);
    if (wasOver && page.length === 0) break;
  }
  return seen;
}

describe("several hubs on one PostgreSQL", () => {
  it("show every listener every event once, in one order, while all of them write", async () => {
    await using hubs = await openHubs("order");
    const stored: number[] = [];
    let isOver = false;
    const readers = hubs.ledgers.map((ledger) =>
      follow(
        WRITERS * EVENTS_PER_WRITER,
        async (after) => (await ledger.read({ after, limit: 7 })).entries.map(({ position }) => position),
        () => isOver,
      ),
    );
    const write = async (writer: number) => {
      const ledger = hubs.ledgers[writer % 3] as Ledger;
      for (let sequence = 1; sequence <= EVENTS_PER_WRITER; sequence++) {
        const [verdict] = await ledger.append([event(`s${writer}`, sequence)]);
        stored.push((verdict as StoredVerdict).position);
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, (_value, writer) => write(writer)));
    isOver = true;
    const expected = stored.toSorted((one, other) => one - other);
    for (const seen of await Promise.all(readers)) expect(seen).toEqual(expected);
    expect(new Set(stored).size).toBe(WRITERS * EVENTS_PER_WRITER);
  });

  it("would skip events if positions came from a sequence", async () => {
    const address = await server.createDatabase("sequence");
    const pool = new pg.Pool({ connectionString: address, max: WRITERS + 1 });
    await pool.query("CREATE TABLE entry (position bigserial PRIMARY KEY, writer int)");
    const slow = await pool.connect();
    await slow.query("BEGIN");
    await slow.query("INSERT INTO entry (writer) VALUES (1)");
    await pool.query("INSERT INTO entry (writer) VALUES (2)");
    const readAfter = async (after: number) =>
      (await pool.query("SELECT position::int FROM entry WHERE position > $1 ORDER BY position", [after])).rows.map(({ position }) =>
        Number(position),
      );
    const first = await readAfter(0);
    await slow.query("COMMIT");
    slow.release();
    const seen = [...first, ...(await readAfter(first.at(-1) ?? 0))];
    await pool.end();
    expect(seen).toEqual([2]);
  });

  it("recognize at one hub what was sent to another, and link one chain", async () => {
    await using hubs = await openHubs("duplicates");
    const [one, two, three] = hubs.ledgers;
    const [first] = await one.append([event("shared", 1)]);
    const again = await Promise.all([two.append([event("shared", 1)]), three.append([event("shared", 1)])]);
    for (const [verdict] of again)
      expect(verdict).toMatchObject({ ok: true, duplicate: true, position: (first as StoredVerdict).position });
    const all = await Promise.all(
      [2, 3, 4, 5, 6].map((sequence, index) => (hubs.ledgers[index % 3] as Ledger).append([event("shared", sequence)])),
    );
    for (const [verdict] of all) expect(verdict).toMatchObject({ ok: true, duplicate: false, flags: [] });
  });

  it("wake the followers of every hub when one of them commits", async () => {
    await using hubs = await openHubs("wake");
    const woken = hubs.ledgers.map((ledger) => new Promise<number>((resolve) => ledger.follow(resolve)));
    const [verdict] = await hubs.ledgers[0].append([event("s1", 1)]);
    expect(await Promise.all(woken)).toEqual([0, 1, 2].map(() => (verdict as StoredVerdict).position));
  });

  it("decide a request once, whichever hub the answers come to", async () => {
    await using hubs = await openHubs("requests");
    for (let round = 1; round <= 20; round++) {
      const id = `req_${round}`;
      const request: NewRequest = { id, kind: "permission", deadlineAt: null, card: "{}", digest: "d" };
      const opened = await (hubs.ledgers[round % 3] as Ledger).append([event(`ask${round}`, 1, request)]);
      expect(opened[0]).toMatchObject({ ok: true });
      const decide = (index: number): RequestDecision => ({
        requestId: id,
        digest: "d",
        state: "answered-by-person",
        by: `hub${index}`,
        answer: "{}",
      });
      const results = await Promise.all(hubs.ledgers.map((ledger, index) => ledger.settle(decide(index))));
      expect(results.filter((result) => result.ok)).toHaveLength(1);
    }
  });
});
