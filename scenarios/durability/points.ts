import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { becomeAdmin } from "../../packages/hub/src/access/testing/test-device.ts";
import { aopEvent, freePort, type HubProcess, startHub } from "../hub/hub-process.ts";
import { broken } from "./broken.ts";
import { createRandom, pause, verify } from "./kills.ts";
import { type Findings, readBack } from "./read-back.ts";
import { type Place, Speaker } from "./speaker.ts";
import { arrivalOf, type Point } from "./trap.ts";

export interface PointReport extends Findings {
  readonly complaints: readonly string[];
  readonly verification: Readonly<Record<string, unknown>>;
  /** Remaining entries of the session being removed. */
  readonly doomedLeft: number;
}

const SPEAKERS = 6;
const DOOMED = "doomed";
export const DOOMED_EVENTS = 900;

/** Kills a hub exactly at the point while events are sent, then starts a correct one on its files. */
export async function killAt(point: Point, seed = 1): Promise<PointReport> {
  const home = mkdtempSync(join(tmpdir(), "earshot-point-"));
  const port = await freePort();
  const speakers = Array.from({ length: SPEAKERS }, (_, name) => new Speaker(name, createRandom(seed * 100 + name)));
  const stop = new AbortController();
  let up = Promise.withResolvers<void>();
  const place: Place = { url: `http://127.0.0.1:${port}`, up: () => up.promise };
  let hub: HubProcess | undefined;
  try {
    // A migration needs an old ledger; every other point is reached by the defective hub's own work.
    hub = await startHub({ ...(point === "in a migration" ? {} : broken(point)), home, port });
    up.resolve();
    const events = Array.from({ length: DOOMED_EVENTS }, (_, index) => aopEvent({ session: DOOMED, sequence: index + 1 }));
    await hub.post("/v1/events", events.join("\n"), "application/x-ndjson");
    const remover = isInRemoval(point) ? await becomeAdmin(hub.url, hub.viewer()) : {};
    const speaking = speakers.map((speaker) => speaker.speak(place, stop.signal));
    if (point === "in a migration") {
      while (speakers.some(({ positions }) => positions.length < 5)) await pause(5);
      up = Promise.withResolvers<void>();
      await hub.kill("SIGTERM");
      hub = await startHub({ ...broken(point), home, port, awaitsReady: false });
    }
    // Answered after the kill or never, so not awaited.
    if (isInRemoval(point)) void removeDoomed(place.url, remover);
    const arrived = arrivalOf(point);
    while (!hub.log().includes(arrived)) {
      if (hub.child.exitCode !== null) throw new Error(`The hub ended before it was there: ${hub.log()}`);
      await pause(5);
    }
    up.resolve();
    up = Promise.withResolvers<void>();
    await hub.kill("SIGKILL");

    hub = await startHub({ home, port });
    up.resolve();
    const { length: before } = speakers.flatMap(({ positions }) => positions);
    while (speakers.flatMap(({ positions }) => positions).length < before + SPEAKERS) await pause(5);
    stop.abort();
    await Promise.all(speaking);
    const doomedLeft = await countDoomed(hub, point);
    const verification = await verify(hub);
    const findings = readBack(join(home, "ledger.db"), speakers);
    return { ...findings, complaints: speakers.flatMap(({ complaints }) => complaints), verification, doomedLeft };
  } finally {
    stop.abort();
    up.resolve();
    await hub?.kill("SIGKILL");
    rmSync(home, { recursive: true, force: true });
  }
}

/** Whether the point lies in the removal of a session. */
function isInRemoval(point: Point): boolean {
  return point === "before tombstone" || point === "between two cuts";
}

/** Whether the removal is completed after the kill. Before its log entry is committed, nothing was removed or promised. */
export function isRemovalRecorded(point: Point): boolean {
  return point === "between two cuts";
}

async function removeDoomed(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  await fetch(`${url}/sessions/${DOOMED}`, { method: "DELETE", headers }).catch(() => {}); // the hub dies meanwhile
}

/** An interrupted removal is completed in small steps after the start. */
async function countDoomed(hub: HubProcess, point: Point): Promise<number> {
  for (let attempt = 0; ; attempt++) {
    const exported = await (await hub.get(`/api/export?session=${DOOMED}`)).text();
    const left = exported.split(`"session_id":"${DOOMED}"`).length - 1;
    if (!isRemovalRecorded(point) || left === 0 || attempt > 500) return left;
    await pause(20);
  }
}
