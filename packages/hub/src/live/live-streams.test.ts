import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import type { Ledger } from "../ledger/ledger.ts";
import type { LiveStream } from "./live-stream.ts";
import { type JoinRequest, type LiveOptions, LiveStreams } from "./live-streams.ts";
import { openEventLedger } from "./testing/event-ledger.ts";
import { LINE_ENCODING, RecordingListener } from "./testing/recording-listener.ts";

class Clock {
  at = 1_000_000;
  now = () => this.at;
}

async function join(streams: LiveStreams, listener: RecordingListener, request: Partial<JoinRequest> = {}): Promise<LiveStream> {
  const stream = await streams.join(listener, { after: "now", filter: {}, encoding: LINE_ENCODING, ...request });
  stream.start();
  return stream;
}

/** A few turns of the event loop suffice for ledger and streams to finish. */
async function until(holds: () => boolean): Promise<void> {
  await vi.waitFor(
    async () => {
      await nextTurn();
      expect(holds()).toBe(true);
    },
    { timeout: 5000, interval: 1 },
  );
}

function open(ledger: Ledger, options: Partial<LiveOptions> = {}): LiveStreams {
  const onFailure = (error: unknown) => {
    throw error;
  };
  return new LiveStreams(ledger, { onFailure, ...options });
}

describe("live streams", () => {
  it("tells what comes, from now on, and says first where that is", async () => {
    await using spoken = openEventLedger();
    const streams = open(spoken.ledger);
    await spoken.say({}, {});
    const listener = new RecordingListener();
    await join(streams, listener);
    await spoken.say({}, {});
    await until(() => listener.positions.length === 2);
    expect(listener.lines[0]).toEqual({ hello: 2 });
    expect(listener.positions).toEqual([3, 4]);
  });

  it("reads the ledger once for all who keep up", async () => {
    await using spoken = openEventLedger();
    const read = vi.spyOn(spoken.ledger, "read");
    const streams = open(spoken.ledger);
    const listeners = Array.from({ length: 50 }, () => new RecordingListener());
    for (const listener of listeners) await join(streams, listener);
    await spoken.say(...Array.from({ length: 100 }, () => ({})));
    await until(() => listeners.every((listener) => listener.positions.length === 100));
    expect(read).toHaveBeenCalledTimes(1);
    expect(listeners.every(({ writes }) => writes === 2)).toBe(true);
  });

  it("reads nothing while nobody listens", async () => {
    await using spoken = openEventLedger();
    const read = vi.spyOn(spoken.ledger, "read");
    const streams = open(spoken.ledger);
    await spoken.say({}, {});
    const listener = new RecordingListener();
    (await join(streams, listener)).leave();
    await spoken.say({}, {});
    await nextTurn();
    expect(read).not.toHaveBeenCalled();
    expect(streams.listeners).toBe(0);
  });

  it("sends nothing to a late listener that was removed meanwhile", async () => {
    await using spoken = openEventLedger();
    const streams = open(spoken.ledger);
    const early = new RecordingListener();
    await join(streams, early);
    await spoken.say({}, { session: "removed" }, {});
    await until(() => early.positions.length === 3);
    const [session] = await spoken.ledger.findSessions("removed");
    if (session !== undefined) await spoken.ledger.cut(session, "deleted");
    const late = new RecordingListener();
    const stream = await join(streams, late, { after: 0 });
    await until(() => stream.position === 3);
    expect(late.positions).toEqual([1, 3]);
  });

  it("stops for a listener whose buffer is full, and goes on where it stopped", async () => {
    await using spoken = openEventLedger();
    const streams = open(spoken.ledger, { recentCharacters: 1000 });
    const stuck = new RecordingListener();
    const healthy = new RecordingListener();
    stuck.full = true;
    const subscription = await join(streams, stuck);
    await join(streams, healthy);
    for (let batch = 0; batch < 20; batch++) await spoken.say(...Array.from({ length: 100 }, () => ({})));
    await until(() => healthy.positions.length === 2000);
    expect(stuck.lines).toEqual([{ hello: 0 }]);
    stuck.full = false;
    subscription.drained();
    await until(() => stuck.positions.length === 2000);
    expect(stuck.positions).toEqual(healthy.positions);
  });

  it("closes a listener that takes nothing for half a minute, and says where to resume", async () => {
    await using spoken = openEventLedger();
    const clock = new Clock();
    const streams = open(spoken.ledger, { now: clock.now });
    await spoken.say({});
    const dripping = new RecordingListener();
    const stuck = new RecordingListener();
    stuck.full = true;
    dripping.full = true;
    await join(streams, dripping);
    const subscription = await join(streams, stuck);
    stuck.unsent = 1000;
    for (let second = 1; second <= 31; second++) {
      clock.at += 1000;
      dripping.unsent = 1000 - second;
      streams.tick();
      if (second === 29) expect(stuck.farewell).toBeUndefined();
    }
    expect(stuck.farewell).toEqual({ why: "stuck", resumeAfter: 1 });
    expect(stuck.lines.at(-1)).toEqual({ farewell: 1, why: "stuck" });
    expect(dripping.farewell).toBeUndefined();
    subscription.leave();
    expect(streams.listeners).toBe(1);
  });

  it("closes the slowest when the slow ones together hold too much", async () => {
    await using spoken = openEventLedger();
    const clock = new Clock();
    const streams = open(spoken.ledger, { now: clock.now, heldBytes: 2500 });
    const listeners = Array.from({ length: 4 }, () => new RecordingListener());
    for (const listener of listeners) {
      listener.full = true;
      await join(streams, listener);
      listener.unsent = 1000;
      clock.at += 10;
    }
    clock.at += 2000;
    streams.tick();
    expect(listeners.map(({ farewell }) => farewell?.why)).toEqual(["crowded", "crowded", undefined, undefined]);
  });

  it("tells with each heartbeat how far it is, also past what the filter hides", async () => {
    await using spoken = openEventLedger();
    const clock = new Clock();
    const streams = open(spoken.ledger, { now: clock.now });
    const listener = new RecordingListener();
    const everything = new RecordingListener();
    await join(streams, listener, { filter: { session: "other" } });
    await join(streams, everything);
    await spoken.say(...Array.from({ length: 10 }, () => ({})));
    await until(() => everything.positions.length === 10);
    clock.at += 14_999;
    streams.tick();
    expect(listener.lines).toEqual([{ hello: 0 }]);
    clock.at += 1;
    streams.tick();
    streams.tick();
    expect(listener.lines).toEqual([{ hello: 0 }, { heartbeat: 10 }]);
  });

  it("finds what a filter lets through in a long history, and heeds what the ledger cannot", async () => {
    await using spoken = openEventLedger();
    for (let batch = 0; batch < 6; batch++) {
      await spoken.say(
        ...Array.from({ length: 500 }, (_, index) => ({ session: `s${index % 250}`, type: index % 2 === 0 ? "tool.start" : "state" })),
      );
    }
    const streams = open(spoken.ledger);
    const bySession = new RecordingListener();
    const byBeginning = new RecordingListener();
    const nothing = new RecordingListener();
    await join(streams, bySession, { after: 0, filter: { session: "s7" } });
    await join(streams, byBeginning, { after: 2000, filter: { type: ["tool.*"] } });
    const silent = await join(streams, nothing, { after: 0, filter: { agent: "nobody" } });
    await spoken.say({ session: "s7", type: "tool.end" }, {});
    await until(() => bySession.positions.at(-1) === 3001 && byBeginning.positions.at(-1) === 3001 && silent.position === 3002);
    expect(bySession.positions).toEqual([...Array.from({ length: 12 }, (_, index) => 8 + index * 250), 3001]);
    expect(byBeginning.positions).toHaveLength(501);
    expect(nothing.positions).toEqual([]);
  });

  it("says something beside the ledger only after the entry it is about", async () => {
    await using spoken = openEventLedger();
    const streams = open(spoken.ledger);
    const listener = new RecordingListener();
    const subscription = await join(streams, listener);
    subscription.aside(Buffer.from('{"aside":2}\n'), 2);
    subscription.aside(Buffer.from('{"aside":0}\n'), 0);
    await spoken.say({}, {}, {});
    await until(() => listener.positions.length === 3);
    subscription.aside(Buffer.from('{"aside":3}\n'), 3);
    await until(() => listener.lines.length === 7);
    expect(listener.lines.map(({ position, aside }) => position ?? `aside ${aside}`)).toEqual([
      "aside undefined",
      1,
      2,
      3,
      "aside 2",
      "aside 0",
      "aside 3",
    ]);
  });

  it("refuses a position that is not there yet, and names the newest", async () => {
    await using spoken = openEventLedger();
    const streams = open(spoken.ledger);
    await spoken.say({}, {});
    await expect(join(streams, new RecordingListener(), { after: 3 })).rejects.toMatchObject({
      problem: { code: "WRONG_QUERY", message: expect.stringContaining("newest position is 2") },
    });
  });

  it("has room for so many and no more, those on their way included", async () => {
    await using spoken = openEventLedger();
    const streams = open(spoken.ledger, { maxListeners: 2 });
    const joined = await Promise.allSettled([1, 2, 3].map(() => join(streams, new RecordingListener())));
    const [first, , third] = joined;
    expect(joined.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    expect(third).toMatchObject({ reason: { problem: { code: "TOO_MANY_LISTENERS" } } });
    if (first?.status === "fulfilled") first.value.leave();
    await join(streams, new RecordingListener());
  });

  it("tries again when the ledger cannot be read", async () => {
    await using spoken = openEventLedger();
    const failures: unknown[] = [];
    const streams = new LiveStreams(spoken.ledger, { onFailure: (error) => failures.push(error) });
    const listener = new RecordingListener();
    await join(streams, listener);
    const broken = vi.spyOn(spoken.ledger, "read").mockRejectedValue(new Error("busy"));
    await spoken.say({});
    await until(() => failures.length === 1);
    broken.mockRestore();
    streams.tick();
    await until(() => listener.positions.length === 1);
  });

  it("says goodbye to all when it closes, and waits until they are gone", async () => {
    await using spoken = openEventLedger();
    const streams = open(spoken.ledger);
    const listener = new RecordingListener();
    await spoken.say({});
    const subscription = await join(streams, listener);
    let closed = false;
    const closing = streams.close().then(() => {
      closed = true;
    });
    await nextTurn();
    expect(closed).toBe(false);
    expect(listener.lines.at(-1)).toEqual({ farewell: 1, why: "stopping" });
    subscription.leave();
    await closing;
    await expect(join(streams, listener, { after: 0 })).rejects.toMatchObject({ problem: { code: "TOO_MANY_LISTENERS" } });
  });
});
