import { describe, expect, it } from "vitest";
import { killDuring } from "./requests/kill.ts";
import { POINTS } from "./requests/points.ts";

describe("kill -9 while something is asked and answered", () => {
  it.each(POINTS.map((point, index) => [point, index % 2 === 0 ? "allow" : "deny"] as const))(
    "%s: %s is decided once, and the agent hears what is on disk",
    async (point, word) => {
      const report = await killDuring(point, word);
      expect(report).toMatchObject({
        decisionsPerRequest: [1],
        heard: word,
        decided: word,
        verification: { ok: true },
      });
      // The decision may have been on disk already.
      expect([undefined, ...(point === "while it is decided" ? [word] : [])]).toContain(report.heardBefore);
      for (const acknowledged of report.acknowledged) expect(acknowledged).toBe(word);
    },
  );

  it("would be noticed with a hub that says so before it is on disk", async () => {
    const report = await killDuring("decides early", "allow");
    // The decision was reported but is not stored; a waiting agent was asked again.
    const decisions = report.decisionsPerRequest.reduce((sum, one) => sum + one, 0);
    expect(report.acknowledged.length).toBeGreaterThan(decisions);
  });
});
