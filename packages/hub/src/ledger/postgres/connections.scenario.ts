import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startPostgres, type TestPostgres } from "../../../../../tools/postgres.ts";
import { type ConnectionLimits, PostgresConnections } from "./connections.ts";

const UNAVAILABLE = { problem: { code: "LEDGER_UNAVAILABLE" } };

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

interface OpenConnections extends AsyncDisposable {
  readonly connections: PostgresConnections;
}

function open(address = server.url, limits: ConnectionLimits = {}): OpenConnections {
  const connections = new PostgresConnections(address, limits);
  return { connections, [Symbol.asyncDispose]: () => connections.close() };
}

it("a transaction whose connection is lost between two statements rejects, and the next one gets another connection", async () => {
  await using opened = open();
  const { connections } = opened;
  const lost = connections.transact(async (transaction) => {
    const { rows } = await transaction.query("SELECT pg_backend_pid() AS pid");
    const pid = Number(rows[0]?.["pid"]);
    await connections.query("SELECT pg_terminate_backend($1)", [pid]);
    const backends = () => connections.query("SELECT pid FROM pg_stat_activity WHERE pid = $1", [pid]);
    await expect.poll(backends).toEqual([]);
    await transaction.query("SELECT 1");
  });
  await expect(lost).rejects.toMatchObject(UNAVAILABLE);
  expect(await connections.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

it("many statements at once share a few connections", async () => {
  await using opened = open(server.url, { maxConnections: 3 });
  const pids = await Promise.all(
    Array.from({ length: 30 }, () => opened.connections.query<{ pid: number }>("SELECT pg_backend_pid() AS pid, pg_sleep(0.01)")),
  );
  expect(new Set(pids.map(([row]) => row?.pid)).size).toBe(3);
});

it("a statement that takes too long is ended by the server, and so is the transaction of a writer that stops", async () => {
  await using opened = open(server.url, { statementTimeoutMs: 100 });
  await expect(opened.connections.query("SELECT pg_sleep(60)")).rejects.toMatchObject(UNAVAILABLE);
  const [row] = await opened.connections.query<{ timeout: string }>(
    "SELECT current_setting('idle_in_transaction_session_timeout') AS timeout",
  );
  expect(row?.timeout).toBe("10s");
});

it("no error contains the password", async () => {
  const address = server.url.replace("earshot@", "earshot:swordfish@");
  for (const wrong of [address.replace(/\/\w+$/, "/missing"), address.replace(/:\d+\//, ":1/"), `${address}?sslmode=verify-full`]) {
    await using opened = open(wrong);
    const error = (await opened.connections.query("SELECT 1").catch((failure: unknown) => failure)) as Error;
    expect(error).toMatchObject(UNAVAILABLE);
    expect(JSON.stringify([error.message, error, error.stack])).not.toContain("swordfish");
  }
});

it("with verify-full only a certificate of a known authority for this host is accepted", async () => {
  const folder = mkdtempSync(join(tmpdir(), "earshot-tls-"));
  try {
    const [certificate, key] = [join(folder, "server.crt"), join(folder, "server.key")];
    const names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
    const kind = ["-x509", "-nodes", "-days", "2", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
    execFileSync("openssl", ["req", ...kind, "-keyout", key, "-out", certificate, ...names], { stdio: "pipe" });
    const strict = `${server.url}?sslmode=verify-full`;
    const trusting = `${strict}&sslrootcert=${certificate}`;
    const isEncrypted = async (address: string) => {
      await using opened = open(address);
      const sql = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
      return (await opened.connections.query<{ ssl: boolean }>(sql))[0]?.ssl;
    };
    await expect(isEncrypted(trusting)).rejects.toMatchObject(UNAVAILABLE); // the server offers no TLS yet
    await server.offerTls(readFileSync(certificate, "utf8"), readFileSync(key, "utf8"));
    await expect.poll(() => isEncrypted(trusting).catch(() => undefined)).toBe(true);
    await expect(isEncrypted(strict)).rejects.toMatchObject(UNAVAILABLE);
    await expect(isEncrypted(trusting.replace("127.0.0.1", "localhost"))).rejects.toMatchObject(UNAVAILABLE);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
