import { expect, it } from "vitest";
import { createEventId } from "./event-id.ts";

it("is a ULID: ten digits of the time, and sixteen that nobody else draws", () => {
  // The example of the ULID specification.
  expect(createEventId(1_469_918_176_385)).toMatch(/^evt_01ARYZ6S41[0-9A-HJKMNP-TV-Z]{16}$/);
  expect(createEventId(1_469_918_176_385, "rsp_")).toMatch(/^rsp_01ARYZ6S41[0-9A-HJKMNP-TV-Z]{16}$/);
  const ids = Array.from({ length: 1000 }, () => createEventId(1));
  expect(new Set(ids).size).toBe(1000);
  const digits = new Set(ids.join("").replaceAll("evt_0000000001", ""));
  expect(digits.size).toBe(32);
});

it("sorts by time", () => {
  const times = [0, 31, 32, 1023, 1024, 1_794_818_590_423, 1_794_818_590_424, 2 ** 48 - 1];
  const ids = times.map((time) => createEventId(time));
  expect(ids.toSorted()).toEqual(ids);
});
