import { describe, expect, it } from "vitest";
import { formatClockTime } from "./times.ts";

describe("times in words", () => {
  it("name the day only when it is another one", () => {
    const now = new Date(2026, 10, 15, 20, 0).getTime();
    expect(formatClockTime(new Date(2026, 10, 15, 14, 32).getTime(), now)).toMatch(/14:32|2:32/);
    expect(formatClockTime(new Date(2026, 10, 12, 14, 32).getTime(), now)).toMatch(/12/);
  });
});
