import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { becomeAdmin, TEST_PIN } from "../packages/hub/src/access/testing/test-device.ts";
import { SseParser } from "../packages/protocol/src/sse.ts";
import { EARSHOT } from "../tools/built-command.ts";
import { startHub } from "./hub/hub-process.ts";

/**
 * An agent and a reading client that only know a base URL, as in AOP's documentation. The agent posts one event at a time and ignores the
 * answers; the client lists, reads, exports, deletes and listens.
 */
function createAgent(base: string, sessionId: string) {
  let sequence = 0;
  return async (type: string, payload: object) => {
    sequence += 1;
    const event = {
      spec: "aop/1.0",
      session_id: sessionId,
      agent_id: "plain-agent",
      sequence,
      timestamp: new Date().toISOString(),
      type,
      payload,
    };
    await fetch(`${base}/events`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(event) });
  };
}

async function get(base: string, path: string): Promise<unknown> {
  const response = await fetch(`${base}${path}`);
  return response.headers.get("content-type")?.includes("json") === true && !path.endsWith("/export") ? response.json() : response.text();
}

/** Opens the stream, which has no history, and returns its messages up to the first match. */
async function listen(base: string, fits: (message: Readonly<Record<string, unknown>>) => boolean) {
  const response = await fetch(`${base}/stream`);
  return { heard: hear(response, fits) };
}

async function hear(response: Response, fits: (message: Readonly<Record<string, unknown>>) => boolean): Promise<readonly unknown[]> {
  const heard: unknown[] = [];
  const parser = new SseParser();
  for await (const chunk of response.body ?? []) {
    for (const { data } of parser.feed(new TextDecoder().decode(chunk as Uint8Array))) {
      if (data === "") continue;
      const message = JSON.parse(data) as Readonly<Record<string, unknown>>;
      heard.push(message);
      if (fits(message)) return heard;
    }
  }
  return heard;
}

describe("an AOP agent and a reading client, with only the base URL changed", () => {
  it("work as with their own collector", async () => {
    await using hub = await startHub();
    await becomeAdmin(hub.url, hub.viewer());
    const words = ["token", "create", "dashboard", "--role", "admin", "--url", "--pin-stdin"];
    const { stdout, stderr } = spawnSync(process.execPath, [EARSHOT, ...words], {
      env: { ...process.env, EARSHOT_HOME: hub.home, EARSHOT_URL: "" },
      input: `${TEST_PIN}\n`,
      encoding: "utf8",
    });
    const [url] = /http:\/\/127\.0\.0\.1:\d+\/k\/[\w.-]+\/?/.exec(stdout) ?? [`none was printed: ${stdout}${stderr}`];
    const base = url.replace(/\/+$/, "");
    expect(base).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/k\/[\w.-]+$/);

    const listening = await listen(base, (message) => (message["data"] as { type?: string } | undefined)?.type === "session.ended");
    const say = createAgent(hub.url, "plain session/1");
    await say("session.started", { goal: "Tidy up." });
    await say("cognition.thought", { reasoning: "The other spelling is read as well.", confidence: "high" });
    await say("operation.tool_start", { tool: "shell", tool_call_id: "c1", input: { command: "ls" } });
    await say("operation.tool_end", { tool: "shell", tool_call_id: "c1", success: true, latency_ms: 12 });
    await say("session.ended", { status: "failed", total_cost_usd: 0.25, total_tokens: 99 });

    const heard = await listening.heard;
    expect(heard[0]).toMatchObject({ type: "connected" });
    expect(heard.slice(1).every((message) => (message as { kind?: string }).kind === "event")).toBe(true);
    expect(heard).toHaveLength(6);
    expect(await get(base, "/health")).toMatchObject({ ok: true });
    const listed = (await get(base, "/sessions")) as { readonly sessions: readonly object[] };
    const row = {
      id: "plain session/1",
      agent_id: "plain-agent",
      goal: "Tidy up.",
      status: "failed",
      total_cost_usd: 0.25,
      total_tokens: 99,
    };
    expect(listed.sessions).toMatchObject([row]);
    const path = `/sessions/${encodeURIComponent("plain session/1")}`;
    const whole = (await get(base, path)) as {
      readonly session: object;
      readonly events: readonly object[];
      readonly alerts: readonly object[];
    };
    expect(whole.session).toMatchObject(row);
    expect(whole.events.map((event) => (event as { sequence: number }).sequence)).toEqual([1, 2, 3, 4, 5]);
    expect(whole.alerts).toEqual([]);
    expect(String(await get(base, `${path}/export`)).split("\n")).toHaveLength(5);
    expect(await (await fetch(`${base}${path}`, { method: "DELETE" })).json()).toMatchObject({ ok: true });
    expect(((await get(base, "/sessions")) as { readonly sessions: readonly object[] }).sessions).toEqual([]);
    expect((await fetch(`${base}${path}`)).status).toBe(404);
    expect(hub.earshot("hub", "verify").status).toBe(0);
  });
});
