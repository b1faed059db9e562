import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startPostgres, type TestPostgres } from "../tools/postgres.ts";
import { aopEvent, type HubProcess, startHub } from "./hub/hub-process.ts";

interface Accepted {
  readonly position: number;
  readonly duplicate?: boolean;
  readonly code?: string;
}

describe("a hub with its ledger in PostgreSQL", () => {
  let server: TestPostgres;
  let store = "";
  let home = "";
  let databases = 0;
  const homes: string[] = [];
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    for (const path of homes) rmSync(path, { recursive: true, force: true });
  });
  beforeEach(async () => {
    databases++;
    store = await server.createDatabase(`hub_${databases}`);
    home = mkdtempSync(join(tmpdir(), "earshot-home-"));
    homes.push(home);
  });
  const start = () => startHub({ home, args: ["--store", store] });
  const send = async (hub: HubProcess, sequence: number) => {
    const response = await hub.post("/v1/events", aopEvent({ session: "s", sequence }));
    return { status: response.status, ...((await response.json()) as Accepted) };
  };

  it("keeps what it acknowledged when it is killed, recognizes it again, shows it, and verifies", async () => {
    const positions: number[] = [];
    {
      await using hub = await start();
      for (let sequence = 1; sequence <= 20; sequence++) positions.push((await send(hub, sequence)).position);
      await hub.kill("SIGKILL");
    }
    await using hub = await start();
    for (const [index, position] of positions.entries())
      expect(await send(hub, index + 1)).toMatchObject({ status: 200, position, duplicate: true });
    const list = (await (await hub.get("/api/sessions")).json()) as {
      readonly items: readonly { readonly id: string; readonly counts: object }[];
    };
    expect(list.items).toMatchObject([{ id: "s", counts: { events: 20 } }]);
    const verified = hub.earshot("hub", "verify");
    expect([verified.status, verified.stdout]).toEqual([0, expect.stringContaining("20 entries")]);
  });

  it("answers 503 while PostgreSQL is away, and goes on when it is back", async () => {
    await using hub = await start();
    expect((await send(hub, 1)).status).toBe(200);
    await server.kill();
    try {
      expect(await send(hub, 2)).toMatchObject({ status: 503, code: "LEDGER_UNAVAILABLE" });
    } finally {
      await server.start();
    }
    await expect.poll(async () => (await send(hub, 2)).status).toBe(200);
    expect((await send(hub, 1)).duplicate).toBe(true);
  });

  it("is verified and backed up into a file while no hub runs", async () => {
    let folder = "";
    {
      await using hub = await start();
      for (let sequence = 1; sequence <= 3; sequence++) await send(hub, sequence);
      await hub.kill("SIGTERM");
      expect(hub.earshot("hub", "verify").status).toBe(0);
      folder = join(home, "copy");
      expect(hub.earshot("hub", "backup", folder)).toMatchObject({ status: 0, stdout: expect.stringContaining("3 entries of 1 session") });
      expect(hub.earshot("hub", "backup", "--verify", folder).status).toBe(0);
    }
  });

  it("verifies with a file of signatures that lacks those of other hubs", async () => {
    for (let sequence = 1; sequence <= 3; sequence++) {
      await using hub = await start();
      await send(hub, sequence);
      await hub.kill("SIGTERM");
    }
    await using hub = await start();
    const sealFile = join(home, "seals.jsonl");
    const [first, ...others] = readFileSync(sealFile, "utf8").split("\n");
    expect(others.length).toBeGreaterThan(2);
    writeFileSync(sealFile, `${first}\n`);
    expect(hub.earshot("hub", "verify")).toMatchObject({ status: 0, stdout: expect.stringContaining("3 entries") });
    writeFileSync(sealFile, `${first?.replace('"seal":1', '"seal":9')}\n`);
    expect(hub.earshot("hub", "verify").status).toBe(1);
  });

  it("takes over the ledger of a file, also after the copy was interrupted", async () => {
    {
      await using hub = await startHub({ home });
      for (let sequence = 1; sequence <= 3; sequence++) await send(hub, sequence);
      await hub.kill("SIGTERM");
      const client = new pg.Client({ connectionString: store });
      await client.connect();
      const done = hub.earshot("migrate-store", store);
      expect([done.status, done.stdout]).toEqual([0, expect.stringContaining("3 entries of 1 session")]);
      const again = hub.earshot("migrate-store", store);
      expect([again.status, again.stderr]).toEqual([2, expect.stringContaining("has a ledger already")]);
      // As if an earlier run had ended after the first entry.
      await client.query(`UPDATE earshot.ledger SET signed_by = 'unfinished copy of ' || signed_by`);
      await client.query("DELETE FROM earshot.entry WHERE position > 1");
      await client.query(`INSERT INTO earshot.document SELECT 'copied ' || name, 1, rows FROM (VALUES
        ('source', '9'), ('session', '9'), ('entry', '1'), ('answerable', '9'), ('request', '9'), ('refused', '9'), ('count', '9'), ('seal', '99')) AS copied (name, rows)`);
      const unfinished = await startHub({ home, args: ["--store", store], awaitsReady: false });
      await expect.poll(() => unfinished.log()).toContain("has not finished");
      await unfinished.kill("SIGKILL");
      await client.end();
      const resumed = hub.earshot("migrate-store", store);
      expect([resumed.status, resumed.stdout]).toEqual([0, expect.stringContaining("3 entries of 1 session")]);
    }
    await using hub = await start();
    expect(await send(hub, 3)).toMatchObject({ status: 200, duplicate: true });
    expect(await send(hub, 4)).toMatchObject({ status: 200 });
    expect(hub.earshot("hub", "verify").status).toBe(0);
  });

  it("refuses a database that a hub with another key has signed", async () => {
    {
      await using hub = await start();
      await send(hub, 1);
    }
    const other = mkdtempSync(join(tmpdir(), "earshot-home-"));
    homes.push(other);
    await using hub = await startHub({ home: other, args: ["--store", store], awaitsReady: false });
    await expect.poll(() => hub.log()).toContain("signed with another key");
    await expect.poll(() => hub.child.exitCode).not.toBe(null);
  });

  it("takes no password on the command line", async () => {
    await using hub = await startHub({ home, args: ["--store", "postgres://ann:secret@127.0.0.1/x"], awaitsReady: false });
    await expect.poll(() => hub.log()).toContain("--store takes no password");
    expect(hub.log()).not.toContain("secret");
  });
});
