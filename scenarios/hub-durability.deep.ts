import { describe, expect, it } from "vitest";
import { testVolume } from "../tools/test-volume.ts";
import { broken } from "./durability/broken.ts";
import { killOverAndOver } from "./durability/kills.ts";
import { DOOMED_EVENTS, isRemovalRecorded, killAt } from "./durability/points.ts";
import { POINTS } from "./durability/trap.ts";

/** The full version of part of `node tools/install.cjs scenarios/durability/main.ts`. */
const KILLS = testVolume({ fast: 2, short: 4, full: 70 });
const ROUNDS = testVolume({ fast: 1, short: 1, full: 20 });
const GOOD = { lost: 0, misplaced: 0, duplicated: 0, complaints: [], verification: { ok: true } };

describe("kill -9 at random instants", () => {
  // Two senders usually share a commit in small groups, eight in larger ones.
  it.each([2, 8, 32])(
    "while %i speak loses nothing that was acknowledged, stores nothing twice, and leaves a chain that verifies",
    async (speakers) => {
      const report = await killOverAndOver({ kills: KILLS, speakers });
      expect(report).toMatchObject({ ...GOOD, unknown: 0, unacknowledged: 0, misheard: 0, examples: [] });
      expect(report.acknowledged).toBeGreaterThan(100);
    },
  );

  it("would be noticed with a hub that answers before it has written", async () => {
    const report = await killOverAndOver({ kills: 20, speakers: 8, hub: broken("answers early"), stopsAtFirstFault: true });
    expect(report.lost).toBeGreaterThan(0);
  });

  it("would be noticed with a hub that does not know again what it has", async () => {
    const report = await killOverAndOver({ kills: 20, speakers: 8, hub: broken("forgets ids"), stopsAtFirstFault: true });
    expect(report.duplicated).toBeGreaterThan(0);
    expect(report.complaints).not.toEqual([]);
  });

  it("would be noticed with a hub that tells a listener what it does not have", async () => {
    const report = await killOverAndOver({ kills: 1, speakers: 8, hub: broken("misquotes") });
    expect(report.misheard).toBeGreaterThan(0);
  });
});

describe("kill -9 at a point", () => {
  it.each(POINTS)("%s", async (point) => {
    for (let round = 0; round < ROUNDS; round++) {
      const report = await killAt(point, 1 + round);
      expect(report).toMatchObject({ ...GOOD, doomedLeft: isRemovalRecorded(point) ? 0 : DOOMED_EVENTS });
    }
  });
});
