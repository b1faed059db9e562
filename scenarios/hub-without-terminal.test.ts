import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { aopEvent, startHub } from "./hub/hub-process.ts";

it("a hub whose log nobody reads any more goes on, and stops in order", async () => {
  await using hub = await startHub();
  hub.child.stderr?.destroy();
  await hub.post("/v1/events", aopEvent({ session: "s", sequence: 1 }));
  const exited = once(hub.child, "exit");
  hub.child.kill("SIGTERM"); // of which it tells its log
  expect(await exited).toEqual([0, null]);
  expect(existsSync(join(hub.home, "seals.jsonl"))).toBe(true);
  expect(existsSync(join(hub.home, "address.json"))).toBe(false);
});

it("a hub whose output nobody reads any more goes on", async () => {
  await using hub = await startHub();
  const exited = once(hub.child, "exit");
  hub.child.stdout?.destroy();
  const said = hub.earshot("start", "--no-open"); // meets it, and says so
  expect(said.stdout).toContain(hub.url);
  expect((await hub.post("/v1/events", aopEvent({ session: "s", sequence: 1 }))).status).toBe(200);
  hub.child.kill("SIGTERM");
  expect(await exited).toEqual([0, null]);
});

it("whoever listens where the hub was is given no credential", async () => {
  const home = mkdtempSync(join(tmpdir(), "earshot-stranger-"));
  const heard: (string | undefined)[] = [];
  const stranger = createServer((request, response) => {
    heard.push(request.headers.authorization);
    response.end(JSON.stringify({ ok: true, version: "0.1.0", ready: true, proof: "as good as yours" }));
  }).listen(0, "127.0.0.1");
  try {
    await once(stranger, "listening");
    const { port } = stranger.address() as { port: number };
    const url = `http://127.0.0.1:${port}`;
    writeFileSync(join(home, "viewer.token"), `${"v".repeat(43)}\n`);
    writeFileSync(join(home, "address.json"), JSON.stringify({ url, pid: process.pid, startedAt: new Date().toISOString() }));
    for (const env of [{ EARSHOT_URL: "" }, { EARSHOT_URL: url }]) {
      const child = spawn(process.execPath, [resolve("packages/cli/bin/earshot.cjs"), "refused"], {
        env: { ...process.env, EARSHOT_HOME: home, ...env },
        stdio: "ignore",
      });
      await once(child, "exit");
    }
    expect(heard.length).toBeGreaterThan(1);
    expect(heard.filter((credential) => credential !== undefined)).toEqual([]);
  } finally {
    stranger.close();
    stranger.closeAllConnections();
    rmSync(home, { recursive: true, force: true });
  }
});
