import { describe, expect, it, vi } from "vitest";
import { AUTHORISED, openLiveTestHub } from "./testing/live-hub.ts";
import { SseClient } from "./testing/sse-client.ts";

const POLL_OPTIONS = { timeout: 20_000, interval: 5 };
const ALERT = {
  session_id: "s1",
  type: "loop",
  message: "Again.",
  severity: "warning",
  created_at: "2026-11-15T12:00:00.000Z",
} as const;

function parsed(client: SseClient): readonly unknown[] {
  return client.messages.map(({ data }) => JSON.parse(data) as unknown);
}

describe("GET /stream", () => {
  it("greets, then sends events of AOP only, with the body as it was posted", async () => {
    await using hub = await openLiveTestHub();
    await hub.say({});
    using client = await SseClient.connect(`${hub.url}/stream`);
    await hub.say({ protocol: "aaep" }, { text: '{"spec":"aop/1.0",\n"unknown":1.0}' }, { protocol: "aep" });
    await vi.waitFor(() => expect(client.messages).toHaveLength(2), POLL_OPTIONS);
    expect(JSON.parse(client.messages[0]?.data ?? "")).toEqual({ type: "connected", timestamp: "2026-09-21T14:13:20.000Z" });
    expect(client.messages[1]).toEqual({ event: "message", id: "3", data: '{"kind":"event","data":{"spec":"aop/1.0", "unknown":1.0}}' });
  });

  it("resumes after the last id, and shows one session when asked to", async () => {
    await using hub = await openLiveTestHub();
    await hub.say({ session: "s1" }, { session: "s2" }, { session: "s1", text: '{"last":true}' });
    using client = await SseClient.connect(`${hub.url}/stream?session=s1`, { "last-event-id": "1" });
    await vi.waitFor(() => expect(client.messages).toHaveLength(2), POLL_OPTIONS);
    expect(parsed(client)[1]).toEqual({ kind: "event", data: { last: true } });
  });

  it("sends an alert after the event that caused it, to those who hear that session", async () => {
    await using hub = await openLiveTestHub();
    using client = await SseClient.connect(`${hub.url}/stream`);
    using other = await SseClient.connect(`${hub.url}/stream?session=s2`);
    hub.raise({ position: 1, alert: ALERT });
    await hub.say({ session: "s1", text: '{"cause":1}' }, { session: "s2", text: '{"other":1}' });
    await vi.waitFor(() => expect([client.messages.length, other.messages.length]).toEqual([4, 2]), POLL_OPTIONS);
    expect(parsed(client).slice(1)).toEqual([
      { kind: "event", data: { cause: 1 } },
      { kind: "event", data: { other: 1 } },
      { kind: "alert", data: ALERT },
    ]);
    expect(parsed(other)[1]).toEqual({ kind: "event", data: { other: 1 } });
  });

  it("pings, and says goodbye in a comment that old readers overlook", async () => {
    let now = 0;
    await using hub = await openLiveTestHub({ now: () => now });
    using client = await SseClient.connect(`${hub.url}/stream`);
    await vi.waitFor(() => expect(client.messages).toHaveLength(1), POLL_OPTIONS);
    now += 15_000;
    hub.live.tick();
    await vi.waitFor(() => expect(client.comments).toEqual(["ping"]), POLL_OPTIONS);
    await hub.stop();
    await vi.waitFor(() => expect(client.ended).toBe(true), POLL_OPTIONS);
    expect(client.comments.at(-1)).toBe("closed (stopping), resume after 0");
    expect(client.messages).toHaveLength(1);
  });

  it("takes no other parameters", async () => {
    await using hub = await openLiveTestHub();
    const response = await fetch(`${hub.url}/stream?protocol=aep`, { headers: AUTHORISED });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "WRONG_QUERY", error: expect.stringContaining("`protocol`") });
  });
});
