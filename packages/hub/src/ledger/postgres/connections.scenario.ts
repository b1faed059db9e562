import { expect, it } from "vitest";
import { startPostgres } from "../../../../../tools/postgres.ts";
import { Connections } from "./connections.ts";

it("a transaction whose connection is lost between two statements rejects, and the next one gets another connection", async () => {
  await using server = await startPostgres();
  const connections = new Connections(server.url);
  try {
    const lost = connections.transact(async (transaction) => {
      const { rows } = await transaction.query("SELECT pg_backend_pid() AS pid");
      const pid = Number(rows[0]?.["pid"]);
      await connections.query("SELECT pg_terminate_backend($1)", [pid]);
      const backends = () => connections.query("SELECT pid FROM pg_stat_activity WHERE pid = $1", [pid]);
      await expect.poll(backends).toEqual([]);
      await transaction.query("SELECT 1");
    });
    await expect(lost).rejects.toMatchObject({ problem: { code: "LEDGER_UNAVAILABLE" } });
    expect(await connections.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  } finally {
    await connections.close();
  }
});
