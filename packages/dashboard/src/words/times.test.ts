import { describe, expect, it } from "vitest";
import { clock, lasting } from "./times.ts";

describe("times in words", () => {
  it("say how long something lasted in at most two parts", () => {
    expect([0, 210, 3400, 42_000, 200_000, 3_600_000, 5_000_000, 90_000_000].map(lasting)).toEqual([
      "0 ms",
      "210 ms",
      "3.4 s",
      "42 s",
      "3 min 20 s",
      "1 h",
      "1 h 23 min",
      "1 d 1 h",
    ]);
  });

  it("name the day only when it is another one", () => {
    const now = new Date(2026, 10, 15, 20, 0).getTime();
    expect(clock(new Date(2026, 10, 15, 14, 32).getTime(), now)).toMatch(/14:32|2:32/);
    expect(clock(new Date(2026, 10, 12, 14, 32).getTime(), now)).toMatch(/12/);
  });
});
