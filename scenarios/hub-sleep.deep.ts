import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { aopEvent, type HubProcess, startHub } from "./hub/hub-process.ts";

/**
 * A stopped and continued process simulates a sleeping laptop: nothing runs and the clocks advance. Longer than the 30 seconds after
 * which a stalled listener is closed.
 */
const SLEEP_MS = 33_000;

function temporary(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "earshot-home-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function statusOf(hub: HubProcess) {
  return (await (await hub.get("/api/status")).json()) as { readonly sleptUntil: number | null; readonly head: number };
}

/** A listener that can stop reading. */
async function listen(hub: HubProcess, path: string) {
  const { port } = new URL(hub.url);
  const socket = connect(Number(port), "127.0.0.1");
  let heard = "";
  socket.setEncoding("utf8");
  socket.on("data", (text) => {
    heard += String(text);
  });
  socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: ${hub.viewer()["authorization"]}\r\n\r\n`);
  while (!heard.includes("\r\n\r\n")) await pause(5);
  return { socket, heard: () => heard, [Symbol.dispose]: () => void socket.destroy() };
}

describe.skipIf(process.platform === "win32")("a hub that slept", () => {
  it("says so, lets its listeners resume, and takes what came meanwhile", async () => {
    using home = temporary();
    await using hub = await startHub({ home: home.path });
    await hub.post("/v1/events", aopEvent({ session: "s", sequence: 1 }));
    expect((await statusOf(hub)).sleptUntil).toBeNull();
    using listener = await listen(hub, "/api/live?after=0");
    // It does not read, so its socket is full: the sleep must not count as stalling.
    using slow = await listen(hub, "/api/live?after=0");
    slow.socket.pause();
    const large = { content: "x".repeat(500_000) };
    for (let sequence = 2; sequence <= 30; sequence++) await hub.post("/v1/events", aopEvent({ session: "s", sequence, payload: large }));

    hub.child.kill("SIGSTOP");
    const began = Date.now();
    const meanwhile = hub.post("/v1/events", aopEvent({ session: "s", sequence: 31 }));
    await pause(SLEEP_MS);
    hub.child.kill("SIGCONT");

    expect((await meanwhile).status).toBe(200);
    const { sleptUntil, head } = await statusOf(hub);
    expect(sleptUntil).toBeGreaterThanOrEqual(began + SLEEP_MS - 1000);
    expect(head).toBe(31);
    slow.socket.resume();
    for (const { heard } of [listener, slow]) while (!/"sequence":31|event: closed/.test(heard())) await pause(20);
    for (const { heard } of [listener, slow]) {
      const sequences = [...heard().matchAll(/"sequence":(\d+),"timestamp"/g)].map(([, sequence]) => Number(sequence));
      expect(sequences).toEqual(Array.from({ length: 31 }, (_, index) => index + 1));
      expect(heard()).not.toContain("event: closed");
    }
    const metrics = await (await hub.get("/metrics")).text();
    expect(Number(/^earshot_slept_seconds_total (.*)$/m.exec(metrics)?.[1])).toBeGreaterThan(SLEEP_MS / 1000 - 1);
  });
});

describe("/metrics", () => {
  it("asks for a viewer, and counts what was said to a running hub; /health asks for nobody", async () => {
    using home = temporary();
    await using hub = await startHub({ home: home.path });
    expect([(await hub.get("/health", {})).status, (await hub.get("/metrics", {})).status]).toEqual([200, 401]);
    const event = aopEvent({ session: "s", sequence: 1 });
    for (const body of [event, event, "nonsense"]) await hub.post("/v1/events", body);
    const answer = await hub.get("/metrics");
    expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const text = await answer.text();
    expect(text).toContain('earshot_events_stored_total{protocol="aop"} 1\n');
    expect(text).toContain('earshot_events_duplicate_total{protocol="aop"} 1\n');
    expect(text).toContain('earshot_events_refused_total{protocol="unknown"} 1\n');
    expect(text).toContain("earshot_head_position 1\n");
    expect(text).toMatch(/earshot_file_bytes\{file="ledger.db"\} [1-9]/);
    expect(Number(/^earshot_commit_duration_seconds_count (\d+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(2);
  });
});
