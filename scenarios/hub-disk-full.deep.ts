import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { broken } from "./durability/broken.ts";
import { pause, verify } from "./durability/kills.ts";
import { readBack } from "./durability/read-back.ts";
import { mountSmallDisk, NO_MOUNT, type SmallDisk } from "./durability/small-disk.ts";
import { Speaker } from "./durability/speaker.ts";
import { utterance } from "./durability/utterance.ts";
import { aopEvent, freePort, type HubProcess, startHub } from "./hub/hub-process.ts";

/** A hub on its own file system, which is filled and emptied while it runs. */
const disk: SmallDisk | undefined = mountSmallDisk(32);
if (disk === undefined) process.stderr.write(`${NO_MOUNT}\n`);
afterAll(() => disk?.[Symbol.dispose]());

const INSIDES = /\bat .*\.[jt]s:\d+|node_modules|SQLITE|sqlite|database/;

describe.skipIf(disk === undefined)("a disk that is full", () => {
  const { path = "" } = disk ?? {};
  const home = join(path, "home");
  let hub: HubProcess;
  let speaker: Speaker;

  beforeAll(async () => {
    hub = await startHub({ home });
    speaker = new Speaker(1, () => 0.5);
  });
  afterAll(() => hub?.kill("SIGKILL"));
  beforeEach(() => disk?.empty());

  /** Sends the next event and records its position. */
  async function say(): Promise<Response> {
    const number = speaker.positions.length;
    const response = await hub.post("/v1/events", utterance(1, number));
    if (response.status === 200) speaker.positions[number] = ((await response.clone().json()) as { position: number }).position;
    return response;
  }

  async function expectAllThere(): Promise<void> {
    const findings = readBack(join(home, "ledger.db"), [new Speaker(0, () => 0), speaker]);
    expect(findings).toMatchObject({ lost: 0, misplaced: 0, duplicated: 0, acknowledged: speaker.positions.length });
    // Repeated after periodic background writes.
    for (let seals = 0; seals === 0; ) {
      const verification = await verify(hub);
      expect(verification).toMatchObject({ ok: true });
      seals = verification["unsealed"] === 0 ? 1 : 0;
      await pause(50);
    }
  }

  it("is told as 507, for single events and batches, while everything is still read", async () => {
    for (let count = 0; count < 50; count++) expect((await say()).status).toBe(200);
    disk?.fill();
    const refusal = await until507(say);
    expect(refusal.headers.get("retry-after")).toMatch(/^\d+$/);
    const text = await refusal.text();
    expect(JSON.parse(text)).toMatchObject({ code: "STORAGE_FULL", message: expect.any(String), hint: expect.any(String) });
    expect(text).not.toMatch(INSIDES);
    const batch = Array.from({ length: 50 }, (_, index) => aopEvent({ session: "batch", sequence: index + 1 })).join("\n");
    const batched = await hub.post("/v1/events", batch, "application/x-ndjson");
    expect({ status: batched.status, body: await batched.json() }).toMatchObject({
      status: 507,
      body: { code: "STORAGE_FULL", stored: 0 },
    });

    const head = speaker.positions.at(-1);
    expect(await (await hub.get("/api/status")).json()).toMatchObject({ head });
    const exported = await (await hub.get("/api/export?session=aep-1-0")).text();
    expect(exported.trim().split("\n")).toHaveLength(speaker.positions.length);
    expect((await hub.get("/sessions")).status).toBe(200);
    expect((await hub.get("/api/refused")).status).toBe(200);
    expect(await hub.get("/health", {}).then((response) => response.json())).toMatchObject({ ok: true });
    const live = await fetch(`${hub.url}/api/live?after=0`, { headers: hub.viewer() });
    expect(await firstBytes(live, `id: ${head}\n`)).toContain(`id: ${head}\n`);
  });

  it("goes on by itself when there is room again, and nothing is lost", async () => {
    disk?.fill();
    await until507(say);
    disk?.empty();
    for (let count = 0; count < 20; count++) expect((await say()).status).toBe(200);
    await expectAllThere();
    expect(hub.child.exitCode).toBeNull();
  });

  it("over and over, with a little room now and then", async () => {
    for (const leave of [4096, 40_000, 100_000, 5000, 200_000]) {
      disk?.fill(leave);
      expect((await until507(say)).status).toBe(507);
      disk?.empty();
      expect((await say()).status).toBe(200);
    }
    await expectAllThere();
  });

  it("does not spoil the ledger when the hub stops, or is killed, just then", async () => {
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      for (let count = 0; count < 200; count++) await say();
      disk?.fill();
      await until507(say);
      await hub.kill(signal);
      const refused = await startHub({ home }).then(
        (started) => started.kill().then(() => "It started."),
        (error: Error) => error.message,
      );
      // Whether there is space to start depends on what stopping released.
      if (refused !== "It started.") expect(refused).toMatch(/disk of .* is full/);
      expect(refused).not.toMatch(INSIDES);
      disk?.empty();
      hub = await startHub({ home });
      expect((await say()).status).toBe(200);
      await expectAllThere();
    }
  });

  it("would be noticed to lose something with a hub that answers early", async () => {
    const place = join(path, "broken");
    await using early = await startHub({ ...broken("answers early"), home: place });
    const speakers = [new Speaker(0, () => 0), new Speaker(1, () => 0)];
    disk?.fill();
    for (let number = 0; number < 20; number++) {
      const response = await early.post("/v1/events", utterance(1, number));
      const { position } = (await response.json()) as { readonly position: number };
      (speakers[1] as Speaker).positions[number] = position;
    }
    expect(readBack(join(place, "ledger.db"), speakers).lost).toBeGreaterThan(0);
  });

  it("is told in plain words when a new hub is to be started there", async () => {
    disk?.fill();
    const message = await startHub({ home: join(path, "new"), port: await freePort() }).then(
      (started) => started.kill().then(() => "It started."),
      (error: Error) => error.message,
    );
    expect(message).toContain("The hub ended with 2");
    expect(message).toMatch(/disk of .* is full/);
    expect(message).not.toMatch(INSIDES);
  });
});

/** Sends events until the disk is full; any other error fails the test. */
async function until507(say: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await say();
    if (response.status === 507) return response;
    expect(response.status).toBe(200);
  }
}

async function firstBytes(response: Response, wanted: string): Promise<string> {
  let text = "";
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    if (text.includes(wanted)) break;
  }
  return text;
}
