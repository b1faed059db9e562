import { existsSync, rmSync, statSync, truncateSync } from "node:fs";
import { EarshotError } from "@earshot/protocol";
import { describe, expect, it } from "vitest";
import { ownSubmission } from "./decide/control.ts";
import { confirmation, openBench, submissionOf } from "./decide/testing/engine-bench.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { temporaryFolder } from "./ledger/testing/temporary-folder.ts";
import { Reserve } from "./reserve.ts";
import { withReserve } from "./reserved-ledger.ts";

const SIZE = 64 * 1024;
/** More than any disk has: for it there is never room. */
const TOO_MUCH = 2 ** 60;

describe("the room that is kept for decisions", () => {
  it("is taken when the hub starts, for nobody else to read, and again when it was cut short", () => {
    using folder = temporaryFolder();
    const path = folder.file("ledger.reserve");
    {
      using reserve = new Reserve({ path, sizeBytes: SIZE });
      expect(reserve.isHeld).toBe(true);
    }
    expect(statSync(path)).toMatchObject({ size: SIZE, mode: 0o100600 });
    truncateSync(path, 10);
    using again = new Reserve({ path, sizeBytes: SIZE });
    expect(again.isHeld).toBe(true);
    expect(statSync(path).size).toBe(SIZE);
  });

  it("is given up once, and made again when there is room, but not over and over", () => {
    using folder = temporaryFolder();
    const path = folder.file("ledger.reserve");
    const clock = { now: 0 };
    using reserve = new Reserve({ path, sizeBytes: SIZE, monotonic: () => clock.now });
    expect(reserve.giveUp()).toBe(true);
    expect(existsSync(path)).toBe(false);
    expect(reserve.giveUp()).toBe(false);
    expect(reserve.hold()).toBe(false);
    clock.now += 100;
    expect(reserve.hold()).toBe(true);
    rmSync(path);
    expect(reserve.giveUp()).toBe(false);
  });

  it("is not there where the disk has none, and leaves nothing behind", () => {
    using folder = temporaryFolder();
    using reserve = new Reserve({ path: folder.file("ledger.reserve"), sizeBytes: TOO_MUCH });
    expect(reserve.isHeld).toBe(false);
    expect(existsSync(folder.file("ledger.reserve"))).toBe(false);
  });
});

describe("a full disk", () => {
  /** A ledger that has no room until the reserve is given up, and then enough for so many decisions. */
  async function onFullDisk() {
    const bench = await openBench();
    const path = `${bench.path}.reserve`;
    const clock = { now: 0 };
    const reserve = new Reserve({ path, sizeBytes: SIZE, monotonic: () => clock.now });
    await bench.say([confirmation()]);
    const [request] = await bench.engine.list({ limit: 1 });
    if (request === undefined) throw new Error("There is no request.");
    let room = 1;
    const take = <Result>(work: () => Promise<Result>): Promise<Result> => {
      if (existsSync(path) || room === 0) return Promise.reject(new EarshotError({ code: "STORAGE_FULL", message: "The disk is full." }));
      room--;
      return work();
    };
    const full: Ledger = {
      ...withReserve(bench.ledger, reserve),
      append: (batch) => take(() => bench.ledger.append(batch)),
      settle: (decision) => take(() => bench.ledger.settle(decision)),
    };
    const answer = { requestId: request.id, state: "answered-by-person", digest: request.digest, by: "ann", answer: "{}" } as const;
    return { bench, reserve, clock, ledger: withReserve(full, reserve), answer, path };
  }
  const FULL = expect.objectContaining({ problem: expect.objectContaining({ code: "STORAGE_FULL" }) });

  it("has room for what is decided, and then for nothing else until the reserve is there again", async () => {
    const { bench, reserve, clock, ledger, answer, path } = await onFullDisk();
    await using _bench = bench;
    using _reserve = reserve;
    const event = submissionOf(confirmation(), bench.clock.now);
    await expect(ledger.append([event])).rejects.toEqual(FULL);
    expect(reserve.isHeld).toBe(true); // an event is not worth it
    expect(await ledger.settle(answer)).toMatchObject({ ok: true });
    expect(reserve.isHeld).toBe(false);
    await expect(ledger.append([event])).rejects.toEqual(FULL);
    await expect(ledger.settle(answer)).rejects.toEqual(FULL); // the room was used up, and that is said
    clock.now += 100;
    await expect(ledger.append([event])).rejects.toEqual(FULL);
    expect(existsSync(path)).toBe(true);
  });

  it("has room for what people set, too", async () => {
    const { bench, reserve, ledger } = await onFullDisk();
    await using _bench = bench;
    using _reserve = reserve;
    const own = ownSubmission("control.paused", "ann", { type: "control.paused" }, bench.clock.now);
    expect(await ledger.append([own])).toMatchObject([{ ok: true }]);
    expect(reserve.isHeld).toBe(false);
  });
});
