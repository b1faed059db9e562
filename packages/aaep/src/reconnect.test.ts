import { EarshotError } from "@earshot/protocol/problem";
import { describe, expect, it } from "vitest";
import { reconnect } from "./reconnect.ts";

type Turn = readonly (number | Error)[];

/** The items and notes of connections that end, or break at an error; the signal follows the last one. */
async function run(...turns: readonly Turn[]): Promise<readonly unknown[]> {
  const stop = new AbortController();
  const noted: unknown[] = [];
  let turn = 0;
  const connect = async function* () {
    for (const one of turns[turn++] ?? []) {
      if (typeof one !== "number") throw one;
      yield one;
    }
    if (turn >= turns.length) stop.abort();
  };
  const wait = async (ms: number) => void noted.push(ms);
  const onGone = () => noted.push("gone");
  const onBack = () => noted.push("back");
  for await (const item of reconnect(connect, { signal: stop.signal, wait, onGone, onBack })) noted.push(item);
  return noted;
}

const BROKEN = new TypeError("terminated");
const DENIED = new EarshotError({ code: "NOT_PERMITTED", message: "no" });

describe("connections one after the other", () => {
  it("go on after one that ends or breaks, the first as well", async () => {
    expect(await run([1, BROKEN], [2], [3])).toEqual([1, "gone", 250, "back", 2, "gone", 250, "back", 3]);
  });

  it("are tried with pauses that double up to five seconds, and from the beginning after success", async () => {
    const away = Array.from({ length: 7 }, () => [BROKEN] as const);
    const pauses = (await run([1], ...away, [2], [3])).filter((one) => typeof one === "number" && one >= 250);
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000, 5000, 250]);
  });

  it("end with an error that no waiting mends, and with any before the first item", async () => {
    await expect(run([1], [DENIED])).rejects.toBe(DENIED);
    await expect(run([BROKEN], [1])).rejects.toBe(BROKEN);
  });
});

it("gives up with no error that the caller takes for temporary, not even with the first", async () => {
  const stop = new AbortController();
  const errors: unknown[] = [];
  let turn = 0;
  const connect = async function* () {
    if (turn++ < 2) throw new RangeError(`refused ${turn}`);
    yield "open";
    stop.abort();
  };
  const isPermanent = (error: unknown, hasBegun: boolean) => {
    errors.push([String(error), hasBegun]);
    return false;
  };
  const ignore = () => {};
  const items: string[] = [];
  for await (const item of reconnect(connect, { signal: stop.signal, wait: async () => {}, onGone: ignore, onBack: ignore, isPermanent }))
    items.push(item);
  expect(items).toEqual(["open"]);
  expect(errors).toEqual([
    ["RangeError: refused 1", false],
    ["RangeError: refused 2", false],
  ]);
});
