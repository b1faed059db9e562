import { describe, expect, it } from "vitest";
import { SAMPLES_NOW_MS } from "../../../terminal/src/testing/samples.ts";
import { commandLine, readDay, readLimit, readPosition, readSeveral, readTimeOption } from "./options.ts";

describe("options", () => {
  it("reads limits and positions", () => {
    expect([readLimit(undefined, 20), readLimit("7", 20), readPosition("#4711", "--from"), readPosition("4711", "--from")]).toEqual([
      20, 7, 4711, 4711,
    ]);
    for (const wrong of ["0", "-1", "x", "1.5", "100001", ""]) expect(() => readLimit(wrong, 20)).toThrow("--limit cannot be");
    for (const wrong of ["x", "-1", ""]) expect(() => readPosition(wrong, "--from")).toThrow("--from cannot be");
  });

  it("reads moments: how long ago, a day, a time", () => {
    expect(readTimeOption("2h", "--since", SAMPLES_NOW_MS)).toBe(SAMPLES_NOW_MS - 7_200_000);
    expect(readTimeOption("2026-11-15", "--since", SAMPLES_NOW_MS)).toBe(new Date(2026, 10, 15).getTime());
    expect(readTimeOption("2026-11-15T14:00", "--since", SAMPLES_NOW_MS)).toBe(new Date(2026, 10, 15, 14).getTime());
    expect(readTimeOption("2026-11-15T14:00:00Z", "--since", SAMPLES_NOW_MS)).toBe(Date.UTC(2026, 10, 15, 14));
    for (const wrong of ["soon", "2026-13-01", "5", "2y", ""]) expect(() => readTimeOption(wrong, "--since", SAMPLES_NOW_MS)).toThrow();
  });

  it("reads days that exist", () => {
    expect(readDay("2026-02-28", "--from")).toBe("2026-02-28");
    for (const wrong of ["2026-02-30", "28.2.2026", "2026-2-1", ""]) expect(() => readDay(wrong, "--from")).toThrow("--from cannot be");
  });

  it("reads several of a list", () => {
    expect(readSeveral("a,b", "--x", ["a", "b"])).toBe("a,b");
    expect(() => readSeveral("a,c", "--x", ["a", "b"])).toThrow('--x cannot be "c"');
  });

  it("writes a command that can be copied", () => {
    expect(commandLine("show", "sess_1", "--after", "a b'c", "#1")).toBe("earshot show sess_1 --after 'a b'\\''c' '#1'");
  });
});
