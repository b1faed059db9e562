import { EarshotError } from "@earshot/protocol";
import { describe, expect, test } from "vitest";
import { type StartTimer, withIdleTimeout } from "./idle-timeout.ts";

/** Timers fired by the test. */
function createTimers(): { startTimer: StartTimer; running: Set<() => void>; delays: number[] } {
  const running = new Set<() => void>();
  const delays: number[] = [];
  const startTimer: StartTimer = (callback, delayMs) => {
    running.add(callback);
    delays.push(delayMs);
    return () => running.delete(callback);
  };
  return { startTimer, running, delays };
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

async function* three(): AsyncGenerator<number> {
  yield 1;
  yield 2;
  yield 3;
}

describe("a stream with an idle timeout", () => {
  test("gives what the stream gives, and leaves no timer behind", async () => {
    const { startTimer, running, delays } = createTimers();
    expect(await collect(withIdleTimeout(three(), 5000, startTimer))).toEqual([1, 2, 3]);
    expect(running.size).toBe(0);
    expect(delays).toEqual([5000, 5000, 5000, 5000]);
  });

  test("runs no timer while the consumer works", async () => {
    const { startTimer, running } = createTimers();
    for await (const _ of withIdleTimeout(three(), 5000, startTimer)) expect(running.size).toBe(0);
  });

  test("fails with BODY_TIMEOUT when nothing arrives, even if the stream fails later", async () => {
    const { startTimer, running } = createTimers();
    const { promise, reject } = Promise.withResolvers<IteratorResult<number>>();
    const silent: AsyncIterable<number> = { [Symbol.asyncIterator]: () => ({ next: () => promise }) };
    const next = withIdleTimeout(silent, 1500, startTimer).next();
    for (const fire of running) fire();
    const error = await next.catch((error: unknown) => error);
    expect(EarshotError.is(error) && error.problem).toEqual({
      code: "BODY_TIMEOUT",
      message: "No bytes arrived for 1.5 s, and the body is not complete.",
    });
    reject(new Error("connection lost"));
    await promise.catch(() => {}); // nothing else may complain about it
    expect(running.size).toBe(0);
  });

  test("passes on the stream's own failure", async () => {
    const { startTimer, running } = createTimers();
    async function* broken(): AsyncGenerator<number> {
      yield 1;
      throw new Error("connection lost");
    }
    await expect(collect(withIdleTimeout(broken(), 5000, startTimer))).rejects.toThrow("connection lost");
    expect(running.size).toBe(0);
  });

  test("closes the stream when the consumer leaves", async () => {
    let isClosed = false;
    async function* endless(): AsyncGenerator<number> {
      try {
        for (;;) yield 1;
      } finally {
        isClosed = true;
      }
    }
    for await (const _ of withIdleTimeout(endless(), 5000)) break;
    expect(isClosed).toBe(true);
  });
});
