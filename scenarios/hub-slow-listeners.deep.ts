import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { testVolume } from "../tools/test-volume.ts";
import { listenMany } from "./durability/listeners.ts";

/** The full version of part of `node tools/install.cjs scenarios/durability/main.ts`. Memory is read where Linux reports it. */
const MAX_MEGABYTES = 150;
const MANY = { stuck: 100, healthy: 5, eventsPerSecond: 2000, seconds: testVolume({ fast: 3, short: 3, full: 10 }) };

describe.skipIf(process.platform !== "linux")("100 listeners that never read, and 5 that do", () => {
  it("cost little memory, keep nobody waiting, and miss nothing when they read again", async () => {
    const report = await listenMany(MANY);
    process.stdout.write(`Slow listeners: ${JSON.stringify(report)}\n`);
    expect(report.faults).toEqual([]);
    expect(report.growthMegabytes).toBeLessThan(MAX_MEGABYTES);
  });

  it("would be noticed with a hub that writes whether they read or not", async () => {
    const report = await listenMany({
      ...MANY,
      seconds: 3,
      healthy: 1,
      resumes: false,
      hub: { bin: resolve("scenarios/durability/naive-hub.ts") },
    });
    expect(report.growthMegabytes).toBeGreaterThan(MAX_MEGABYTES);
  });
});
