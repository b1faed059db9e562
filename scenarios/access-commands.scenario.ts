import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { becomeAdmin, callJson, TEST_PIN, TestDevice } from "../packages/hub/src/access/testing/test-device.ts";
import { EARSHOT } from "../tools/built-command.ts";
import { aopEvent, type HubProcess, startHub } from "./hub/hub-process.ts";

/** Runs a command of the same user with standard input, as a script would. */
function run(hub: HubProcess, input: string, ...words: readonly string[]) {
  const env = { ...process.env, EARSHOT_HOME: hub.home, EARSHOT_URL: "http://127.0.0.1:1", EARSHOT_PIN: TEST_PIN };
  return spawnSync(process.execPath, [EARSHOT, ...words], { env, input, encoding: "utf8", timeout: 30_000 });
}

describe("earshot start", () => {
  it("asks nothing, opens nothing and prints no code where nobody watches, and says how to go on", async () => {
    await using hub = await startHub();
    await expect.poll(() => hub.log()).toContain("No approver is set up");
    expect(hub.log()).not.toContain("#start=");
    expect(readdirSync(hub.home)).not.toContain("open.html");
  });

  it.each([
    ["--allow-origin", "*"],
    ["--allow-origin", "https://app.example/path"],
    ["--public-url", "http://hub.example"],
    ["--public-url", "https://hub.example/path"],
    ["--public-url", "https://me:secret@hub.example"],
    ["--dangerously-listen-on", "hub.example"],
  ])("refuses %s %s", async (...words) => {
    await using hub = await startHub();
    expect(run(hub, "", "start", ...words).status).toBe(2);
  });

  it("keeps every file to its user", async () => {
    await using hub = await startHub();
    await becomeAdmin(hub.url, hub.viewer());
    await hub.post("/v1/events", aopEvent({ session: "s", sequence: 1 }));
    expect(statSync(hub.home).mode & 0o777).toBe(0o700);
    const open = readdirSync(hub.home).filter((name) => (statSync(join(hub.home, name)).mode & 0o077) !== 0);
    expect(open).toEqual([]);
  });
});

describe("another user of the machine", () => {
  it.skipIf(process.getuid?.() !== 0)("reads no file, and reads and decides nothing at the port", async () => {
    await using hub = await startHub();
    await becomeAdmin(hub.url, hub.viewer());
    const asOther = (command: string, ...args: readonly string[]) =>
      spawnSync(command, args, { uid: 65_534, gid: 65_534, encoding: "utf8" });
    expect(asOther("ls", hub.home).status).not.toBe(0);
    for (const name of readdirSync(hub.home).filter((one) => statSync(join(hub.home, one)).isFile())) {
      const { status, stdout } = asOther("cat", join(hub.home, name));
      expect([name, status === 0, stdout]).toEqual([name, false, ""]);
    }
    for (const path of ["/api/me", "/sessions", "/stream", "/api/live", "/api/status"]) expect((await hub.get(path, {})).status).toBe(401);
  });
});

describe("earshot token", () => {
  it("makes, lists and revokes, with the PIN", async () => {
    await using hub = await startHub();
    await becomeAdmin(hub.url, hub.viewer());
    const made = run(
      hub,
      `${TEST_PIN}\n`,
      "token",
      "create",
      "ci",
      "--role",
      "producer",
      "--owner",
      "Ana",
      "--expires",
      "90d",
      "--pin-stdin",
    );
    expect([made.status, made.stderr]).toEqual([0, expect.stringContaining("producer, owner Ana")]);
    const token = made.stdout.trim();
    expect(token).toMatch(/^ear_[\w-]{43}$/);
    const event = aopEvent({ session: "s", sequence: 1 });
    const post = () =>
      fetch(`${hub.url}/events`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: event,
      });
    expect((await post()).status).toBe(200);
    const listed = run(hub, TEST_PIN, "token", "list", "--pin-stdin");
    expect(listed.stdout).toMatch(/^ci \(\S+\): producer, owner Ana, made .*, expires /);
    expect(listed.stdout).not.toContain(token);
    expect(run(hub, TEST_PIN, "token", "revoke", "ci", "--pin-stdin").stdout).toContain("Revoked: ci");
    expect((await post()).status).toBe(401);
    const address = run(hub, TEST_PIN, "token", "create", "dashboard", "--role", "viewer", "--url", "--pin-stdin").stdout.trim();
    expect((await fetch(`${address}sessions`)).status).toBe(200);
  });

  it("does nothing with a wrong PIN, with one from the environment, or without a person to ask", async () => {
    await using hub = await startHub();
    await becomeAdmin(hub.url, hub.viewer());
    const before = readFileSync(join(hub.home, "access.json"), "utf8");
    const unasked = run(hub, `${TEST_PIN}\n`, "token", "create", "x", "--role", "admin");
    expect([unasked.status, unasked.stderr]).toEqual([2, expect.stringContaining("no terminal to ask")]);
    expect(readFileSync(join(hub.home, "access.json"), "utf8")).toBe(before);
    const wrong = run(hub, "wrong pin\n", "token", "create", "x", "--role", "admin", "--pin-stdin");
    expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining("not the PIN")]);
  });
});

describe("earshot device add", () => {
  it("prints a link, and waits until somebody was admitted", async () => {
    await using hub = await startHub();
    expect(hub.earshot("device", "add").stderr).toContain("earshot start");
    const admin = await becomeAdmin(hub.url, hub.viewer());
    const { spawn } = await import("node:child_process");
    const child = spawn(process.execPath, [EARSHOT, "device", "add", "--role", "approver"], {
      env: { ...process.env, EARSHOT_HOME: hub.home },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString();
    });
    await expect.poll(() => out).toContain("#pair=");
    const code = /#pair=(\S+)/.exec(out)?.[1] ?? "";
    const { match } = await callJson(hub.url, "/api/pair/claim", { code, key: new TestDevice().key, name: "Phone" });
    const { pairings } = (await callJson(hub.url, "/api/pairings", undefined, admin)) as unknown as { pairings: { id: string }[] };
    await callJson(hub.url, `/api/pairings/${pairings[0]?.id}/confirm`, { match }, admin);
    expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(0);
    expect(out).toContain("Phone is admitted as approver.");
    expect(run(hub, TEST_PIN, "device", "list", "--pin-stdin").stdout).toContain("Phone");
    expect(run(hub, TEST_PIN, "device", "revoke", "Phone", "--pin-stdin").stdout).toContain("Revoked: Phone");
  });
});

describe("earshot device reset", () => {
  it("waits, tells, and can be cancelled by an approver", async () => {
    await using hub = await startHub();
    expect(hub.earshot("device", "reset").stderr).toContain("no approver yet");
    await becomeAdmin(hub.url, hub.viewer());
    expect(hub.earshot("device", "reset").stdout).toContain("every approver is removed");
    await expect.poll(() => hub.log()).toContain("Alarm: Somebody asked to remove every approver");
    expect(hub.earshot("start").stdout).toContain("Alarm");
    expect(run(hub, TEST_PIN, "device", "reset", "--cancel", "--pin-stdin").stdout).toContain("Cancelled");
    expect(((await (await hub.get("/api/me")).json()) as { readonly resetDueAt: unknown }).resetDueAt).toBeNull();
  });
});
