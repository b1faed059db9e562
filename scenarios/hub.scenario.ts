import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { conformanceRecording } from "../packages/protocol/testing/conformance.ts";
import { EARSHOT } from "../tools/built-command.ts";
import { aopEvent, freePort, type HubProcess, startHub } from "./hub/hub-process.ts";

/** The hub as a process with real ports and files. */

function earshotIn(home: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return spawnSync(process.execPath, [EARSHOT, ...args], {
    env: { ...process.env, EARSHOT_HOME: home, EARSHOT_URL: "", ...env },
    encoding: "utf8",
    timeout: 30_000,
  });
}

function temporary(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "earshot-home-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

describe("earshot start", () => {
  it("hears all three protocols at one address and gives each session back as it was said", async () => {
    await using hub = await startHub();
    const files = [...["aaep", "aep", "aop"].map((protocol) => `${protocol}/valid/generated-1`), "aaep/valid/whole-session"];
    for (const file of files) {
      const recording = conformanceRecording(file);
      const response = await hub.post("/v1/events", recording, "application/x-ndjson");
      const { stored, duplicates, refused } = (await response.json()) as Readonly<Record<string, number>>;
      expect([file, (stored ?? 0) + (duplicates ?? 0), refused]).toEqual([file, recording.trim().split("\n").length, 0]);
    }
    const said = conformanceRecording("aaep/valid/whole-session");
    const { session_id: session } = JSON.parse(said.split("\n")[0] ?? "") as { readonly session_id: string };
    expect(hub.earshot("export", session, "--protocol", "aaep").stdout.trim()).toBe(said.trim());
    expect(hub.earshot("hub", "verify").status).toBe(0);
  });

  it("tells a single event its position, a redelivered one its first position, and a wrong one what is wrong", async () => {
    await using hub = await startHub();
    const event = aopEvent({ session: "s", sequence: 1 });
    expect(await (await hub.post("/v1/events", event)).json()).toEqual({ position: 1, duplicate: false, flags: [] });
    expect(await (await hub.post("/events", event)).json()).toEqual({ ok: true, position: 1, duplicate: true });
    const wrong = await hub.post("/v1/events?protocol=aep", event);
    expect(wrong.status).toBe(422);
    const problem = (await wrong.json()) as { readonly code: string; readonly rule: string };
    expect(problem).toMatchObject({ code: "EVENT_INVALID", rule: expect.stringMatching(/^aep\//) });
    expect(hub.earshot("tail", "--refused").stdout).toContain(problem.rule);
    expect(JSON.parse(hub.earshot("tail", "--refused", "--json").stdout)).toMatchObject({
      refused: [{ number: 1, problem: { rule: problem.rule } }],
    });
  });

  it("keeps everything in files that only its user can read", async () => {
    await using hub = await startHub();
    await hub.post("/v1/events", aopEvent({ session: "s", sequence: 1 }));
    expect((await hub.get("/sessions/s")).status).toBe(200); // after this, the views have a file
    const mode = (path: string) => statSync(path).mode & 0o777;
    expect(mode(hub.home)).toBe(0o700);
    for (const name of ["ledger.db", "ledger.db-wal", "viewer.token", "address.json", "views.db", "seal-key.pem"]) {
      expect([name, mode(join(hub.home, name))]).toEqual([name, 0o600]);
    }
  });

  it("lets nobody read without the viewer's credential, and no page of another origin in at all", async () => {
    await using hub = await startHub();
    for (const path of ["/api/status", "/api/refused", "/api/live", "/api/export?session=s", "/api/verify"]) {
      expect([path, (await hub.get(path, {})).status]).toEqual([path, 401]);
      expect([path, (await hub.get(path, { authorization: "Bearer wrong" })).status]).toEqual([path, 401]);
    }
    const foreign = { origin: "http://evil.example", "content-type": "application/json" };
    const posted = await fetch(`${hub.url}/v1/events`, { method: "POST", headers: foreign, body: aopEvent({ session: "s", sequence: 1 }) });
    expect(posted.status).toBe(403);
    expect((await hub.get("/sessions", { "sec-fetch-site": "cross-site" })).status).toBe(403);
    const status = (await (await hub.get("/api/status")).json()) as { readonly head: number };
    expect(status.head).toBe(0);
  });

  it("never moves from a port that was asked for, and says who cannot have it", async () => {
    using home = temporary();
    const stranger = createServer((_request, response) => response.end("mine")).listen(0, "127.0.0.1");
    await once(stranger, "listening");
    const { port } = stranger.address() as { port: number };
    const run = earshotIn(home.path, ["start", "--no-open", "--port", String(port)]);
    expect(run.status).toBe(2);
    expect(run.stderr).toContain(`port ${port}`);
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe("mine");
    stranger.close();
  });

  it("is refused on a ledger that another hub has open, naming that one, which goes on", async () => {
    await using hub = await startHub();
    const run = earshotIn(hub.home, ["start", "--no-open", "--port", String(await freePort())]);
    expect(run.status).toBe(2);
    expect(run.stderr).toContain(hub.url);
    expect(run.stderr).toContain(String(hub.child.pid));
    expect((await hub.post("/v1/events", aopEvent({ session: "s", sequence: 1 }))).status).toBe(200);
    expect(earshotIn(hub.home, ["start", "--no-open"]).stdout).toContain(hub.url);
  });

  it("goes on where it was after kill -9, with the same file and the same lock", async () => {
    using home = temporary();
    for (const sequence of [1, 2, 3]) {
      await using hub = await startHub({ home: home.path });
      expect(await (await hub.post("/v1/events", aopEvent({ session: "s", sequence }))).json()).toMatchObject({ position: sequence });
      await hub.kill("SIGKILL");
    }
    await using hub = await startHub({ home: home.path });
    expect(hub.earshot("export", "s").stdout.trim().split("\n")).toHaveLength(3);
    expect(hub.earshot("hub", "verify").status).toBe(0);
  });

  it("stops when asked to: tells listeners where to resume, says where it stopped, and takes its address away", async () => {
    using home = temporary();
    await using hub = await startHub({ home: home.path });
    await hub.post("/v1/events", aopEvent({ session: "s", sequence: 1 }));
    const live = await hub.get("/api/live?after=0");
    await hub.kill("SIGTERM");
    const heard = await live.text();
    expect(heard).toContain("event: closed");
    expect(heard).toContain('"resumeAfter":1');
    expect(hub.child.exitCode).toBe(0);
    expect(hub.log()).toContain("stopped at position 1");
    expect(existsSync(join(home.path, "address.json"))).toBe(false);
    expect(hub.earshot("tail").stderr).toContain("earshot start");
  });

  it("refuses what breaks a sequence with --strict, and only then", async () => {
    const end = JSON.stringify({
      ...(JSON.parse(aopEvent({ session: "s", sequence: 9 })) as object),
      type: "session.ended",
      payload: { outcome: "completed" },
    });
    const again = end.replace('"sequence":9', '"sequence":10');
    const statuses = async (hub: HubProcess) => {
      const answers = [aopEvent({ session: "s", sequence: 1 }), end.replace(":9", ":2"), again.replace(":10", ":3")].map((text) => text);
      const seen: number[] = [];
      for (const text of answers) seen.push((await hub.post("/v1/events", text)).status);
      return seen;
    };
    await using strict = await startHub({ args: ["--strict"] });
    expect(await statuses(strict)).toEqual([200, 200, 422]);
    await using tolerant = await startHub();
    expect(await statuses(tolerant)).toEqual([200, 200, 200]);
  });

  it.each([
    ["empty", ""],
    ["a text", "hello, this is no database at all, just some text that is long enough to have a header"],
  ])("refuses a ledger file that is %s, and does not touch it", async (_name, content) => {
    using home = temporary();
    const path = join(home.path, "ledger.db");
    writeFileSync(path, content);
    const run = earshotIn(home.path, ["start", "--no-open", "--port", String(await freePort())]);
    expect(run.status).toBe(2);
    expect(run.stderr).toContain("ledger.db");
    expect(readFileSync(path, "utf8")).toBe(content);
  });

  it("understands no odd options", () => {
    using home = temporary();
    for (const args of [["--prot", "1"], ["--port", "x"], ["--port", "70000"], ["extra"]]) {
      expect([args, earshotIn(home.path, ["start", ...args]).status]).toEqual([args, 2]);
    }
  });
});

describe("the default port", () => {
  it("is replaced by a free one when it is taken, and the address file says which", async () => {
    using home = temporary();
    // The port may be taken by the developer's own hub; otherwise it is taken here.
    const holder = createTcpServer().listen(4747, "127.0.0.1");
    await Promise.race([once(holder, "listening"), once(holder, "error")]);
    const child = await startDefault(home.path);
    try {
      const { url } = JSON.parse(readFileSync(join(home.path, "address.json"), "utf8")) as { readonly url: string };
      expect(url).not.toBe("http://127.0.0.1:4747");
      expect(((await (await fetch(`${url}/health`)).json()) as { readonly ok: boolean }).ok).toBe(true);
    } finally {
      child.kill("SIGKILL");
      holder.close();
    }
  });
});

async function startDefault(home: string) {
  const { spawn } = await import("node:child_process");
  const child = spawn(process.execPath, [EARSHOT, "start", "--no-open"], { env: { ...process.env, EARSHOT_HOME: home }, stdio: "ignore" });
  while (!existsSync(join(home, "address.json")) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 50));
  return child;
}

describe("earshot start --aop", () => {
  it("says so when port 4317 is taken, and leaves the program that has it alone", async () => {
    using home = temporary();
    const stranger = createServer((_request, response) => response.end("collector")).listen(4317, "127.0.0.1");
    const taken = await Promise.race([once(stranger, "listening").then(() => true), once(stranger, "error").then(() => false)]);
    const run = earshotIn(home.path, ["start", "--aop", "--no-open", "--port", String(await freePort())]);
    expect(run.status).toBe(2);
    expect(run.stderr).toContain("4317");
    if (taken) expect(await (await fetch("http://127.0.0.1:4317")).text()).toBe("collector");
    stranger.close();
    stranger.closeAllConnections();
    await once(stranger, "close");
    if (!taken) return;
    await using hub = await startHub({ args: ["--aop"] });
    for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
      const response = await fetch(`http://${host}:4317/health`).catch(() => undefined);
      // Without IPv6 there is only one loopback address.
      if (response !== undefined || host !== "[::1]") expect([host, response?.status]).toEqual([host, 200]);
    }
    expect(hub.url).not.toContain("4317");
  });
});

describe("other tools", () => {
  it("find the front door by what they accept", async () => {
    await using hub = await startHub();
    const page = await fetch(`${hub.url}/`, { headers: { accept: "text/html,application/xhtml+xml" } });
    expect([page.url, page.headers.get("content-type")]).toEqual([`${hub.url}/ui/`, "text/html; charset=utf-8"]);
    expect(await (await fetch(`${hub.url}/`)).json()).toMatchObject({ name: "Earshot", spec: "aop/1.0", endpoints: {} });
    const missing = await fetch(`${hub.url}/nowhere`);
    expect([missing.status, ((await missing.json()) as { readonly code: string }).code]).toEqual([404, "NOT_FOUND"]);
  });
});
