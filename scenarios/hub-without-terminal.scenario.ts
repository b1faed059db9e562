import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { EARSHOT } from "../tools/built-command.ts";
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

it("a hub continues when the reader of its first line has left, as `| head -1` does", async () => {
  const home = mkdtempSync(join(tmpdir(), "earshot-head-"));
  const words = [EARSHOT, "start", "--port", "0", "--no-open"];
  const child = spawn(process.execPath, words, { env: { ...process.env, EARSHOT_HOME: home }, stdio: ["ignore", "pipe", "ignore"] });
  try {
    const exited = once(child, "exit");
    await once(child.stdout, "data");
    child.stdout.destroy();
    const log = join(home, "hub.log");
    await expect.poll(() => (existsSync(log) ? readFileSync(log, "utf8") : "")).toContain('"started"');
    const { url } = JSON.parse(readFileSync(join(home, "address.json"), "utf8")) as { readonly url: string };
    expect((await fetch(`${url}/health`)).status).toBe(200);
    child.kill("SIGTERM"); // it says more at the start, and when it stops
    expect(await exited).toEqual([0, null]);
  } finally {
    child.kill("SIGKILL");
    rmSync(home, { recursive: true, force: true });
  }
});

it("a program that listens where the hub was gets no credential", async () => {
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
      const child = spawn(process.execPath, [EARSHOT, "tail", "--refused"], {
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
