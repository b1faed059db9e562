import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { subscribe } from "@earshot/sdk";
import { describe, expect, it } from "vitest";
import { becomeAdmin, callJson } from "../packages/hub/src/access/testing/test-device.ts";
import { freePort, type HubProcess, startHub } from "./hub/hub-process.ts";

/** Agents as processes, a real hub, and an approver. */
type Body = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

function startAgent(home: string, what: string) {
  const child = spawn(process.execPath, [resolve("scenarios/sdk/aaep-agent.ts"), what], {
    env: { ...process.env, EARSHOT_HOME: home, EARSHOT_URL: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const lines = () => stdout.split("\n").filter((line) => line !== "");
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal, stderr, lines: lines() }));
  const line = async (index: number) => until(() => lines()[index]);
  return { child, line, ended };
}

async function until<Value>(look: () => Value | undefined | Promise<Value | undefined>): Promise<Value> {
  for (let turn = 0; turn < 6000; turn++) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((later) => setTimeout(later, 10));
  }
  throw new Error("It did not come.");
}

async function approverOf(hub: HubProcess): Promise<Headers> {
  const admin = await becomeAdmin(hub.url, hub.viewer());
  const { token } = await callJson(hub.url, "/api/tokens", { name: "Ana's phone", role: "approver", owner: "tests" }, admin);
  return { authorization: `Bearer ${String(token)}` };
}

/** Waits for a question of this kind and answers it. */
async function answer(hub: HubProcess, approver: Headers, kind: string, said: Body): Promise<void> {
  const open = await until(() => openRequest(hub, kind));
  await callJson(hub.url, `/api/requests/${String(open["id"])}/answer`, { digest: open["digest"], ...said }, approver);
}

async function openRequest(hub: HubProcess, kind: string): Promise<Body | undefined> {
  const { requests } = (await (await hub.get("/api/requests?state=open")).json()) as { requests: readonly Body[] };
  return requests.find((request) => JSON.stringify(request).includes(`"${kind}"`));
}

async function eventsOf(hub: HubProcess, session: string): Promise<readonly Body[]> {
  const text = await (await hub.get(`/api/export?session=${session}`)).text();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Body);
}

const named = (events: readonly Body[]) => events.map(({ type }) => String(type).replace("aaep:agent.", ""));

describe("an agent that speaks AAEP with the SDK", () => {
  it("asks, is answered by a person at the hub, and goes on; the checker minds nothing", async () => {
    await using hub = await startHub();
    const approver = await approverOf(hub);
    const agent = startAgent(hub.home, "asks");
    const session = await agent.line(0);
    await answer(hub, approver, "confirmation", { answer: "accept" });
    await answer(hub, approver, "clarification", { answer: "respond", response: "orders_older" });
    expect(await agent.ended).toEqual({ code: 0, signal: null, stderr: "", lines: [session, "accepted", "orders_older"] });
    const events = await eventsOf(hub, session);
    expect(named(events).filter((type) => type !== "state.changed")).toEqual([
      "session.started",
      "awaiting.confirmation",
      "tool.invoked",
      "tool.completed",
      "awaiting.clarification",
      "output.streaming",
      "output.streaming",
      "session.completed",
    ]);
    const path = join(hub.home, "run.jsonl");
    writeFileSync(path, hub.earshot("export", session).stdout);
    expect(hub.earshot("check", path, "--strict")).toMatchObject({ status: 0, stderr: "" });
  });

  it("does nothing when it is refused", async () => {
    await using hub = await startHub();
    const approver = await approverOf(hub);
    const agent = startAgent(hub.home, "asks");
    const session = await agent.line(0);
    await answer(hub, approver, "confirmation", { answer: "reject" });
    await answer(hub, approver, "clarification", { answer: "respond", response: "none" });
    expect((await agent.ended).lines).toEqual([session, "rejected", "none"]);
    expect(named(await eventsOf(hub, session))).not.toContain("tool.invoked");
  });

  it("takes the answer of who listens to it, and the hub asks nobody any more", async () => {
    await using hub = await startHub();
    const approver = await approverOf(hub);
    const agent = startAgent(hub.home, "serves");
    const session = await agent.line(0);
    await using listener = subscribe(await agent.line(1), { supports_confirmation_reply: true, supported_conformance_levels: [1, 2, 3] });
    const request = await until(() => openRequest(hub, "confirmation"));
    for await (const event of listener) {
      if (event["type"] !== "aaep:agent.awaiting.confirmation") continue;
      expect(await listener.reply(event, { decision: "accept" })).toBe(true);
      break;
    }
    const closed = await until(async () => {
      const shown = (await (await hub.get(`/api/requests/${String(request["id"])}`)).json()) as Body;
      return shown["state"] === "open" ? undefined : shown;
    });
    expect(closed["state"]).toBe("withdrawn");
    await answer(hub, approver, "clarification", { answer: "respond", response: "none" });
    expect((await agent.ended).lines.slice(2)).toEqual(["accepted", "none"]);
    expect(named(await eventsOf(hub, session))).toContain("tool.invoked");
  });

  it("stops when a person says so, and says who stopped it", async () => {
    await using hub = await startHub();
    const approver = await approverOf(hub);
    const agent = startAgent(hub.home, "works");
    const session = await agent.line(0);
    await until(async () => ((await eventsOf(hub, session)).some(({ type }) => type === "aaep:agent.tool.invoked") ? true : undefined));
    const stopped = await fetch(`${hub.url}/aaep/v1/sessions/${session}/stop`, {
      method: "POST",
      headers: { ...approver, "content-type": "application/json" },
      body: JSON.stringify({ reason: "Enough for today." }),
    });
    expect(stopped.ok).toBe(true);
    expect((await agent.ended).lines).toEqual([session, "ready", "AbortError"]);
    const events = await eventsOf(hub, session);
    expect(events.at(-1)).toMatchObject({
      type: "aaep:agent.session.cancelled",
      cancelled_by: "user",
      summary_normal: "Enough for today.",
    });
    expect(events.at(-3)).toMatchObject({ type: "aaep:agent.tool.completed", status: "timeout" });
  });

  it("is heard later where no hub was there, with the end that its process had", async () => {
    const home = mkdtempSync(join(tmpdir(), "earshot-home-"));
    try {
      const port = await freePort();
      // Producers need the credential that the first hub creates.
      await (await startHub({ home, port })).kill();
      const left = startAgent(home, "leaves");
      const session = await left.line(0);
      expect(await left.ended).toMatchObject({ code: 0, stderr: "" });
      const killed = startAgent(home, "works");
      const other = await killed.line(0);
      await killed.line(1);
      killed.child.kill("SIGTERM");
      expect(await killed.ended).toMatchObject({ signal: "SIGTERM", stderr: "" });
      await using hub = await startHub({ home, port });
      const approver = await approverOf(hub);
      const next = startAgent(home, "asks");
      await answer(hub, approver, "confirmation", { answer: "reject" });
      await answer(hub, approver, "clarification", { answer: "respond", response: "none" });
      await next.ended;
      const events = await until(async () => {
        const all = await Promise.all([eventsOf(hub, session), eventsOf(hub, other)]);
        return all.every((one) => one.length > 0) ? all : undefined;
      });
      expect(named(events[0])).toEqual([
        "session.started",
        "state.changed",
        "state.changed",
        "tool.invoked",
        "tool.completed",
        "state.changed",
        "session.errored",
      ]);
      expect(events[1].at(-1)).toMatchObject({ type: "aaep:agent.session.cancelled", cancelled_by: "system" });
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});
