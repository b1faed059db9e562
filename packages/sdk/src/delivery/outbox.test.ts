import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DiskSpool } from "../node/disk-spool.ts";
import { FakePlatform } from "../testing/fake-platform.ts";
import { disposableFolder, someLines } from "../testing/temporary-folder.ts";
import { Outbox } from "./outbox.ts";

const SECOND = 1000;

function put(outbox: Outbox, from: number, to: number): void {
  for (const line of someLines(from, to)) outbox.put(line);
}

describe("the outbox", () => {
  it("sends what was said in one go to a hub as one batch", async () => {
    const platform = new FakePlatform();
    const outbox = new Outbox(platform);
    put(outbox, 1, 400);
    expect(platform.asked).toEqual([]);
    expect(await outbox.flush(SECOND)).toBe(true);
    expect(platform.received).toEqual(someLines(1, 400));
    expect(platform.posts.map(({ url, contentType }) => [url, contentType])).toEqual([
      ["http://receiver/v1/events?protocol=aop", "application/x-ndjson"],
    ]);
    expect(outbox.counts()).toMatchObject({ emitted: 400, delivered: 400, waiting: 0 });
  });

  it("sends one at a time to any other collector, in order", async () => {
    const platform = new FakePlatform();
    platform.receiver = "collector";
    const outbox = new Outbox(platform);
    put(outbox, 1, 5);
    await outbox.flush(SECOND);
    expect(platform.posts.map(({ url, body }) => [url, body])).toEqual(someLines(1, 5).map((line) => ["http://receiver/events", line]));
  });

  it("takes whatever answers at a named address for a collector, and nobody else", async () => {
    const platform = new FakePlatform();
    platform.receiver = "stranger";
    platform.named = false;
    const outbox = new Outbox(platform);
    put(outbox, 1, 1);
    await outbox.settle(SECOND);
    expect(outbox.counts().waiting).toBe(1);
    platform.named = true;
    expect(await outbox.flush(SECOND)).toBe(true);
  });

  it("does not ask a collector twice", async () => {
    const platform = new FakePlatform();
    platform.receiver = "collector";
    const outbox = new Outbox(platform);
    put(outbox, 1, 1);
    await outbox.flush(SECOND);
    platform.receiver = "silent";
    put(outbox, 2, 2);
    await outbox.flush(SECOND);
    expect(outbox.counts()).toMatchObject({ delivered: 1, lost: 1, waiting: 0 });
  });

  it("drops what the hub calls wrong, and goes on", async () => {
    const platform = new FakePlatform();
    platform.status = 422;
    const outbox = new Outbox(platform);
    put(outbox, 1, 2);
    await outbox.flush(SECOND);
    platform.status = 200;
    put(outbox, 3, 3);
    await outbox.flush(SECOND);
    expect(outbox.counts()).toMatchObject({ refused: 2, delivered: 1, waiting: 0 });
  });

  it("keeps what a full hub does not take, and sends it later", async () => {
    const platform = new FakePlatform();
    platform.status = 507;
    const outbox = new Outbox(platform);
    put(outbox, 1, 3);
    await outbox.settle(SECOND);
    expect(outbox.counts().waiting).toBe(3);
    platform.status = 200;
    expect(await outbox.flush(SECOND)).toBe(true);
    expect(platform.received).toEqual(someLines(1, 3));
  });

  it("without a spool, gives up the oldest and says how many", async () => {
    const platform = new FakePlatform();
    platform.receiver = "away";
    const outbox = new Outbox(platform);
    put(outbox, 1, 12_000);
    expect(outbox.dropped).toBe(2000);
    platform.receiver = "hub";
    expect(await outbox.flush(5 * SECOND)).toBe(true);
    expect(platform.received).toEqual(someLines(2001, 12_000));
  });

  it("hands over to the browser what is left when the page goes", async () => {
    const platform = new FakePlatform();
    const outbox = new Outbox(platform);
    put(outbox, 1, 1);
    await outbox.flush(SECOND);
    put(outbox, 2, 5000);
    outbox.leave();
    expect(platform.beacons.flatMap(({ body }) => body.trimEnd().split("\n"))).toEqual(someLines(2, 5000));
    expect(platform.beacons.every(({ body }) => Buffer.byteLength(body) < 65_536)).toBe(true);
  });

  it("takes nothing after it was closed", async () => {
    const outbox = new Outbox(new FakePlatform());
    await outbox.close(SECOND);
    put(outbox, 1, 1);
    expect(outbox.counts()).toMatchObject({ emitted: 0, ignored: 1 });
  });

  describe("with a spool", () => {
    it("keeps the order through every change between memory and disk", async () => {
      using folder = disposableFolder();
      const platform = new FakePlatform(new DiskSpool({ folder: folder.path, maxBytes: 1e8 }));
      platform.receiver = "away";
      const outbox = new Outbox(platform);
      put(outbox, 1, 100);
      await outbox.settle(SECOND);
      put(outbox, 101, 25_000); // more than memory holds
      await outbox.settle(5 * SECOND);
      put(outbox, 25_001, 25_010);
      platform.receiver = "hub";
      expect(await outbox.flush(10 * SECOND)).toBe(true);
      expect(platform.received).toEqual(someLines(1, 25_010));
      expect(outbox.counts()).toMatchObject({ emitted: 25_010, delivered: 25_010, dropped: 0 });
    });

    it("puts a batch that failed before what was said meanwhile", async () => {
      using folder = disposableFolder();
      const platform = new FakePlatform(new DiskSpool({ folder: folder.path, maxBytes: 1e8 }));
      const outbox = new Outbox(platform);
      const answer = platform.request.bind(platform);
      let fails = true;
      platform.request = async (asked) => {
        if (asked.method === "GET" || !fails) return answer(asked);
        fails = false;
        put(outbox, 11, 11_000); // spills while the first ten are on their way
        return { kind: "unanswered" };
      };
      put(outbox, 1, 10);
      expect(await outbox.flush(10 * SECOND)).toBe(true);
      expect(platform.received).toEqual(someLines(1, 11_000));
    });

    it("leaves everything that was not acknowledged to the next process", async () => {
      using folder = disposableFolder();
      const first = new FakePlatform(new DiskSpool({ folder: folder.path, maxBytes: 1e8 }));
      const outbox = new Outbox(first);
      first.request = async (asked) => {
        if (asked.method === "POST") outbox.leave(); // the process ends while a batch is on its way
        return asked.method === "GET" ? { kind: "answered", status: 200, body: '{"ready":true}' } : { kind: "unanswered" };
      };
      put(outbox, 1, 700);
      await outbox.settle(SECOND);

      const second = new FakePlatform(new DiskSpool({ folder: folder.path, maxBytes: 1e8 }));
      const next = new Outbox(second);
      await next.flush(SECOND);
      expect([...new Set(second.received)]).toEqual(someLines(1, 700));
    });
  });

  describe("while nobody answers", () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    it("looks again by itself, less and less often, and delivers when somebody does", async () => {
      const platform = new FakePlatform();
      platform.receiver = "away";
      const outbox = new Outbox(platform);
      put(outbox, 1, 1);
      await vi.advanceTimersByTimeAsync(60 * SECOND);
      expect(platform.asked.length).toBeGreaterThan(5);
      expect(platform.asked.length).toBeLessThan(15);
      platform.receiver = "starting";
      await vi.advanceTimersByTimeAsync(20 * SECOND);
      expect(platform.posts).toEqual([]);
      platform.receiver = "hub";
      await vi.advanceTimersByTimeAsync(20 * SECOND);
      expect(platform.received).toEqual(someLines(1, 1));
    });
  });
});
