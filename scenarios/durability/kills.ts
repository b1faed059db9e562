import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, type HubProcess, type HubProcessOptions, startHub } from "../hub/hub-process.ts";
import { Follower } from "./follower.ts";
import { type Findings, readBack } from "./read-back.ts";
import { type Place, Speaker } from "./speaker.ts";

export interface KillOptions {
  readonly kills: number;
  readonly speakers: number;
  /** How the hub is started; a defective one for the negative control. */
  readonly hub?: Pick<HubProcessOptions, "bin" | "args" | "nodeArguments">;
  /** Random seed. */
  readonly seed?: number;
  readonly log?: (line: string) => void;
  /** Stop at the first defect: a negative control need not show more. */
  readonly stopsAtFirstFault?: boolean;
}

export interface KillReport extends Findings {
  readonly kills: number;
  readonly resent: number;
  readonly recognised: number;
  readonly complaints: readonly string[];
  /** Entries a listener received across all kills that the ledger lacks, or that arrived out of order. */
  readonly misheard: number;
  /** The result of `verify` at the end. */
  readonly verification: Readonly<Record<string, unknown>>;
}

const CHECK_EVERY = 25;

/** Sends events while the hub is killed at random times and restarted, and compares the acknowledgments with the ledger. */
export async function killOverAndOver(options: KillOptions): Promise<KillReport> {
  const { kills, hub: how = {}, log = () => {} } = options;
  const random = createRandom(options.seed ?? 1);
  const home = mkdtempSync(join(tmpdir(), "earshot-kills-"));
  const port = await freePort();
  const speakers = Array.from(
    { length: options.speakers },
    (_, name) => new Speaker(name, createRandom(name + (options.seed ?? 1) * 1000)),
  );
  const stop = new AbortController();
  let hub: HubProcess | undefined;
  let follower: Follower | undefined;
  let up = Promise.withResolvers<void>();
  const place: Place = { url: `http://127.0.0.1:${port}`, up: () => up.promise };
  const start = async () => {
    hub = await startHub({ ...how, home, port });
    up.resolve();
    follower ??= new Follower(hub);
    await follower.connect();
  };
  const acknowledged = () => speakers.reduce((sum, { positions }) => sum + positions.length, 0);
  const ledger = join(home, "ledger.db");
  try {
    await start();
    const speaking = speakers.map((speaker) => speaker.speak(place, stop.signal));
    let killed = 0;
    while (killed < kills) {
      // Requires an acknowledgment between two kills; without one a kill proves nothing.
      const before = acknowledged();
      while (acknowledged() < before + speakers.length) await pause(5);
      // In a long run some hubs live long enough to seal and to checkpoint the WAL.
      await pause(random() * (kills > 20 && random() < 0.1 ? 4000 : 400));
      up = Promise.withResolvers<void>();
      await hub?.kill("SIGKILL");
      killed++;
      if (random() < 0.2) {
        // Kills may also hit the start, during recovery.
        const starting = await startHub({ ...how, home, port, awaitsReady: false });
        await pause(random() * 600);
        await starting.kill("SIGKILL");
        killed++;
      }
      await start();
      const findings = killed % CHECK_EVERY === 0 || options.stopsAtFirstFault === true ? readBack(ledger, speakers) : undefined;
      if (findings !== undefined) log(`${killed} kills: ${findings.lost} of ${findings.acknowledged} acknowledged lost`);
      if (options.stopsAtFirstFault === true && findings !== undefined && findings.lost + findings.duplicated > 0) break;
    }
    stop.abort();
    await Promise.all(speaking);
    const verification = hub === undefined ? {} : await verify(hub);
    return {
      ...readBack(ledger, speakers),
      kills: killed,
      resent: speakers.reduce((sum, { resent }) => sum + resent, 0),
      recognised: speakers.reduce((sum, { recognised }) => sum + recognised, 0),
      complaints: speakers.flatMap(({ complaints }) => complaints),
      misheard: (await follower?.misheard(ledger)) ?? 0,
      verification,
    };
  } finally {
    follower?.close();
    stop.abort();
    up.resolve();
    await hub?.kill("SIGKILL");
    rmSync(home, { recursive: true, force: true });
  }
}

/** The hub's own verification of its ledger. */
export async function verify(hub: HubProcess): Promise<Readonly<Record<string, unknown>>> {
  const text = await (await hub.get("/api/verify")).text();
  const last = JSON.parse(text.trim().split("\n").at(-1) ?? "{}") as { readonly result?: Readonly<Record<string, unknown>> };
  return last.result ?? { ok: false, text };
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A repeatable random generator (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
