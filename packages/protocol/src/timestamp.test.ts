import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../tools/test-volume.ts";
import { readTimestamp } from "./timestamp.ts";

describe("timestamps", () => {
  it("are the instants that Date knows, for any date, offset and precision", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("0001-01-01T00:00:00Z"), max: new Date("9998-12-31T23:59:59Z"), noInvalidDate: true }),
        fc.integer({ min: -23 * 60, max: 23 * 60 }),
        (date, offset) => {
          const sign = offset < 0 ? "-" : "+";
          const zone = `${sign}${String(Math.floor(Math.abs(offset) / 60)).padStart(2, "0")}:${String(Math.abs(offset) % 60).padStart(2, "0")}`;
          const local = new Date(date.getTime() + offset * 60_000).toISOString();
          if (local.length !== 24) return; // a year of more than four digits
          expect(readTimestamp(local.replace("Z", zone))?.ms).toBe(date.getTime());
          expect(readTimestamp(date.toISOString())?.ms).toBe(date.getTime());
        },
      ),
      { numRuns: propertyRuns() },
    );
  });

  for (const bad of [
    "2026-02-29T00:00:00Z",
    "2026-02-30T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-10T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z",
    "2026-01-01T00:00:61Z",
    "2026-01-01T12:30:60Z",
    "2026-01-01t00:00:00Z",
    "2026-01-01T00:00:00z",
    "2026-01-01 00:00:00Z",
    "2026-01-01T00:00:00",
    "2026-01-01T00:00:00.Z",
    "2026-01-01T00:00:00+0100",
    "2026-01-01T00:00:00+24:00",
    "2026-01-01T00:00:00+01:60",
    "20260101T000000Z",
    "2026-1-1T00:00:00Z",
    "2026-01-01T00:00:00Z ",
    " 2026-01-01T00:00:00Z",
    "２０２６-01-01T00:00:00Z",
    "",
    "now",
    `2026-01-01T00:00:00.${"0".repeat(100)}Z`,
  ]) {
    it(`refuse ${JSON.stringify(bad.slice(0, 40))}`, () => expect(readTimestamp(bad)).toBeUndefined());
  }

  it("know leap days, leap seconds and fractions", () => {
    expect(readTimestamp("2028-02-29T00:00:00Z")).toBeDefined();
    expect(readTimestamp("2000-02-29T00:00:00Z")).toBeDefined();
    expect(readTimestamp("1900-02-29T00:00:00Z")).toBeUndefined();
    expect(readTimestamp("2026-06-30T23:59:60Z")).toBeDefined();
    expect(readTimestamp("2026-07-01T01:59:60+02:00")).toBeDefined();
    expect(readTimestamp("2026-01-01T00:00:00.123456Z")).toMatchObject({ fractionDigits: 6, utc: true });
    expect(readTimestamp("2026-01-01T00:00:00.5Z")?.ms).toBe(Date.parse("2026-01-01T00:00:00.500Z"));
    expect(readTimestamp("2026-01-01T00:00:00+01:00")).toMatchObject({ fractionDigits: 0, utc: false });
  });
});
