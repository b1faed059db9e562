import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { confirmationEvent, testEvent } from "../packages/aaep/src/subscriber/testing/events.ts";
import { type LiveProducer, openLiveProducer } from "../packages/aaep/src/subscriber/testing/live-producer.ts";
import { until } from "../packages/aaep/src/subscriber/testing/until.ts";
import { becomeAdmin, callJson as call } from "../packages/hub/src/access/testing/test-device.ts";
import { freePort, type HubProcess, startHub } from "./hub/hub-process.ts";

type Body = Readonly<Record<string, unknown>>;

const home = mkdtempSync(join(tmpdir(), "earshot-attach-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const AGENT = resolve("packages/aaep/src/subscriber/testing/stdio-agent.ts");
const STEPS = 400;
const now = () => new Date().toISOString();
const step = (index: number) => testEvent("tool.invoked", { tool: `step_${index}`, summary_normal: `Step ${index}.`, timestamp: now() });

async function eventually<Value>(read: () => Promise<Value>, holds: (value: Value) => unknown): Promise<Value> {
  const end = performance.now() + 60_000;
  for (;;) {
    const value = await read().catch(() => undefined);
    if (value !== undefined && holds(value)) return value;
    if (performance.now() > end) throw new Error(`In vain: ${JSON.stringify(value)?.slice(0, 1000)}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** The exported events of a session. */
async function exported(hub: HubProcess, source: string, session = "sess_1"): Promise<readonly Body[]> {
  const query = new URLSearchParams({ session, protocol: "aaep", source });
  const text = await (await hub.get(`/api/export?${query}`)).text();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Body);
}

describe("a hub that is killed while it is attached", () => {
  it("goes on where it was: every event once and in order, and what was answered is told", async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    await using sse: LiveProducer = await openLiveProducer();
    await using ws: LiveProducer = await openLiveProducer();
    let hub = await startHub({ home, port });
    try {
      const admin = await becomeAdmin(url, hub.viewer());
      const { token } = await call(url, "/api/tokens", { name: "Ana's phone", role: "approver", owner: "tests" }, admin);
      const approver = { authorization: `Bearer ${String(token)}` };
      const producers = [
        { live: sse, source: sse.url },
        { live: ws, source: ws.wsUrl },
      ];
      for (const { source } of producers) await call(url, "/api/attachments", { url: source }, approver);
      const command = [process.execPath, AGENT, "2"];
      await call(url, "/api/attachments", { command, cwd: process.cwd() }, approver);
      if (process.platform !== "win32") expect(statSync(join(home, "attachments.json")).mode & 0o777).toBe(0o600);

      const requests = async (state: string) =>
        (await call(url, `/api/requests?state=${state}&limit=200`, undefined, approver))["requests"] as readonly Body[];
      for (const { live } of producers) live.say(confirmationEvent("rpl_before", { timestamp: now() }));
      await eventually(
        () => requests("open"),
        (all) => all.length === 3, // the command asks, too
      );
      for (let index = 0; index < STEPS; index++) {
        for (const { live } of producers) live.say(step(index));
        if (index % 100 === 50) {
          await hub.kill("SIGKILL");
          hub = await startHub({ home, port });
        }
        if (index % 10 === 0) await new Promise((done) => setTimeout(done, 10));
      }
      const expected = Array.from({ length: STEPS }, (_one, index) => `step_${index}`);
      for (const { source } of producers) {
        const all = await eventually(
          () => exported(hub, source),
          (events) => events.filter(({ tool }) => tool !== undefined).length >= STEPS,
        );
        expect(all.flatMap(({ tool }) => (tool === undefined ? [] : [tool]))).toEqual(expected);
      }

      // Asked before the hub was killed, answered through its successor.
      const open = await eventually(
        () => requests("open"),
        (all) => producers.every(({ source }) => all.some((one) => one["source"] === source)),
      );
      for (const one of open) {
        if (String(one["source"]).startsWith("run: ")) continue;
        await call(url, `/api/requests/${String(one["id"])}/answer`, { answer: "accept", digest: one["digest"] }, approver);
      }
      for (const { live } of producers) {
        await until(() => live.replies.length > 0, "the reply");
        expect(live.replies[0]).toMatchObject({ reply_token: "rpl_before", decision: "accept", decided_by: "user:Ana's phone" });
      }

      // Decided, and killed before the producer was told.
      for (const { live } of producers) live.say(confirmationEvent("rpl_late", { timestamp: now(), action: "Another one." }));
      const late = await eventually(
        () => requests("open"),
        (all) => producers.every(({ source }) => all.some((one) => one["source"] === source)),
      );
      for (const { live } of producers) {
        live.shut(true);
        live.cut();
      }
      await Promise.all(
        late
          .filter((one) => !String(one["source"]).startsWith("run: "))
          .map((one) => call(url, `/api/requests/${String(one["id"])}/answer`, { answer: "reject", digest: one["digest"] }, approver)),
      );
      await hub.kill("SIGKILL");
      for (const { live } of producers) live.shut(false);
      hub = await startHub({ home, port });
      for (const { live } of producers) {
        await until(() => live.replies.some((reply) => reply.reply_token === "rpl_late"), "the late reply");
        expect(live.replies.filter((reply) => reply.reply_token === "rpl_late")[0]).toMatchObject({ decision: "reject" });
      }
      expect((await hub.earshot("hub", "verify")).status).toBe(0);
    } finally {
      await hub.kill("SIGKILL");
    }
  });
});
