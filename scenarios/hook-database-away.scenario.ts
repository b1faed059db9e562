import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claudeHost as CLAUDE } from "../packages/cli/src/agents/testing/hosts/claude-hosts.ts";
import { startPostgres, type TestPostgres } from "../tools/postgres.ts";
import { type HookBench, openHookBench } from "./hook/hook-bench.ts";
import { aopEvent } from "./hub/hub-process.ts";

const RULES = `
extends: guard
rules:
  - { name: never, match: { command: "echo never*" }, answer: deny, message: Not here. }
`;

describe("a hub whose PostgreSQL is away", () => {
  let server: TestPostgres;
  let bench: HookBench;
  beforeAll(async () => {
    server = await startPostgres();
    bench = await openHookBench({ policy: RULES, args: ["--store", await server.createDatabase("hooks")] });
    await server.kill();
  });
  afterAll(async () => {
    await bench[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  it("leaves hooks to the accepted rules: what they deny does not run, and what is destructive is asked about", async () => {
    expect((await bench.call(CLAUDE, "echo never again")).tool).toBe("blocked");
    expect((await bench.call(CLAUDE, "rm -rf /")).tool).toBe("asked");
    expect((await bench.call(CLAUDE, "ls")).tool).toBe("left");
  });

  it("tells senders when to try again, and load balancers that it is not ready", async () => {
    const refused = await bench.hub().post("/v1/events", aopEvent({ session: "s", sequence: 1 }));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    await expect.poll(async () => (await bench.hub().get("/ready")).status).toBe(503);
    expect((await bench.hub().get("/health")).status).toBe(200);
  });
});
