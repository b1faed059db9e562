import { describe, expect, it } from "vitest";
import { SleepWatch } from "./sleep-watch.ts";

const NOON = Date.UTC(2026, 0, 1, 12);

function watched() {
  const clocks = { monotonic: 1000, now: NOON };
  const watch = new SleepWatch({ monotonic: () => clocks.monotonic, now: () => clocks.now, everyMs: 1 << 30 });
  const pass = (monotonicMs: number, wallMs = monotonicMs) => {
    clocks.monotonic += monotonicMs;
    clocks.now += wallMs;
  };
  return { watch, pass };
}

describe("the watch over sleep", () => {
  it("takes no notice of a machine that is merely busy", () => {
    const { watch, pass } = watched();
    using _watch = watch;
    for (const ms of [1000, 1000, 4900]) {
      pass(ms);
      watch.look();
    }
    expect([watch.sleptUntil, watch.sleptMs, watch.awakeNow()]).toEqual([undefined, 0, 7900]);
  });

  it("notices that the process was stopped, and its own clock stands still meanwhile", () => {
    const { watch, pass } = watched();
    using _watch = watch;
    pass(1000);
    watch.look();
    pass(60_000);
    expect(watch.awakeNow()).toBe(2000);
    pass(1000);
    expect([watch.sleptUntil, watch.sleptMs, watch.awakeNow()]).toEqual([NOON + 61_000, 60_000, 3000]);
  });

  it("notices that the machine was suspended, which a monotonic clock may not show", () => {
    const { watch, pass } = watched();
    using _watch = watch;
    pass(500, 3_600_000);
    expect([watch.sleptUntil, watch.sleptMs, watch.awakeNow()]).toEqual([NOON + 3_600_000, 3_600_000, 1500]);
  });

  it("never goes back, whatever is done to the time of day", () => {
    const { watch, pass } = watched();
    using _watch = watch;
    let last = watch.awakeNow();
    for (const [monotonicMs, wallMs] of [
      [1000, -86_400_000],
      [10_000, 10_000],
      [1000, 86_400_000],
      [7000, -7000],
      [1, 1],
    ] as const) {
      pass(monotonicMs, wallMs);
      const next = watch.awakeNow();
      expect(next).toBeGreaterThanOrEqual(last);
      last = next;
    }
    expect(watch.sleptMs).toBe(10_000 + 86_400_000 + 7000);
  });
});
