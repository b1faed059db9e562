import { request } from "node:http";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { testVolume } from "../tools/test-volume.ts";
import { sendLongBody } from "./durability/long-body.ts";
import { utterance } from "./durability/utterance.ts";
import { type HubProcess, startHub } from "./hub/hub-process.ts";

const BODY_MEGABYTES = testVolume({ fast: 150, short: 150, full: 1024 });
/** Stored after it was received whole, so memory grows with it. */
const GATHERED_MEGABYTES = 150;
const MAX_MEGABYTES = 256;

describe.skipIf(process.platform !== "linux")(`a body of ${BODY_MEGABYTES} MB`, () => {
  it("is stored as it arrives, in memory that does not depend on its length", async () => {
    const report = await sendLongBody(BODY_MEGABYTES);
    process.stdout.write(`Long body: ${JSON.stringify(report)}\n`);
    expect(report.stored).toBe(report.events);
    expect(report.growthMegabytes).toBeLessThan(MAX_MEGABYTES);
  });

  it("would be noticed with a hub that gathers it first", async () => {
    const { growthMegabytes } = await sendLongBody(GATHERED_MEGABYTES, { bin: resolve("scenarios/durability/naive-hub.ts") });
    expect(growthMegabytes).toBeGreaterThan(MAX_MEGABYTES);
  });
});

describe("many who send as fast as they are answered", () => {
  it("are never turned away", async () => {
    await using hub = await startHub();
    const singles = Array.from({ length: 24 }, (_, speaker) => speak(hub, speaker, { requests: 40, events: 1 }));
    const batches = Array.from({ length: 24 }, (_, speaker) => speak(hub, 24 + speaker, { requests: 4, events: 400 }));
    const streams = Array.from({ length: 24 }, (_, speaker) => stream(hub, 48 + speaker, 1500));
    const statuses = (await Promise.all([...singles, ...batches, ...streams])).flat();
    expect(new Set(statuses)).toEqual(new Set([200]));
    const status = (await (await hub.get("/api/status")).json()) as { readonly counts: readonly unknown[] };
    expect(status).toMatchObject({ counts: [], head: 24 * 40 + 24 * 4 * 400 + 24 * 1500 });
  });
});

interface Pace {
  readonly requests: number;
  readonly events: number;
}

async function speak(hub: HubProcess, speaker: number, { requests, events }: Pace): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let first = 0; first < requests * events; first += events) {
    const body = Array.from({ length: events }, (_, index) => utterance(speaker, first + index)).join("\n");
    const response = await hub.post("/v1/events", body, events === 1 ? "application/json" : "application/x-ndjson");
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  return statuses;
}

/** One request without any waiting except for the connection. */
function stream(hub: HubProcess, speaker: number, events: number): Promise<readonly number[]> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${hub.url}/v1/events`, { method: "POST", headers: { "content-type": "application/x-ndjson" } });
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      response.resume();
      response.on("end", () => resolve([response.statusCode ?? 0]));
    });
    for (let number = 0; number < events; number++) outgoing.write(`${utterance(speaker, number)}\n`);
    outgoing.end();
  });
}
