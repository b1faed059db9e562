import { expect, test } from "vitest";
import { readDuration, readSize, retentionInWords } from "./quantities.ts";

test("lengths of time and sizes are read with their units, and refused without", () => {
  expect(["90s", "90m", "12h", "30d", "4w"].map((text) => readDuration(text, "--older-than") / 1000)).toEqual([
    90, 5400, 43_200, 2_592_000, 2_419_200,
  ]);
  expect(["500MB", "2GB", "2 GiB", "1.5gb", "7b"].map((text) => readSize(text, "--keep-bytes"))).toEqual([
    500_000_000,
    2_000_000_000,
    2 ** 31,
    1_500_000_000,
    7,
  ]);
  for (const text of ["", "30", "-1d", "1y", "1e3d", "99999999d"]) expect(() => readDuration(text, "--older-than")).toThrow(/duration/);
  for (const text of ["", "2", "2G", "-1GB", "GB", "999999999TB"]) expect(() => readSize(text, "--keep-bytes")).toThrow(/size/);
});

test("retention is said in words", () => {
  expect(retentionInWords({ days: 30, bytes: 2e9 })).toContain("30 days or 2 GB, whichever comes first");
  expect(retentionInWords({ days: 0, bytes: 2e9 })).toContain("for 2 GB");
  expect(retentionInWords({ days: 0, bytes: 0 })).toContain("for good");
});
