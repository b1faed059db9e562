import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { type DrillReport, isFaultless, runDrill } from "./cluster/drill.ts";
import { MUTANT_VARIABLE, type Mutant } from "./cluster/mutate.ts";

it("three hubs lose, skip, repeat and decide nothing twice while hubs are killed and PostgreSQL restarts", async () => {
  const report = await runDrill({ seconds: 40, writers: 8, listeners: 4, log: () => {} });
  expect(isFaultless(report), JSON.stringify(report)).toBe(true);
  expect(report.hubKills).toBeGreaterThan(2);
  expect(report.acknowledged).toBeGreaterThan(50);
  expect(report.requests).toBeGreaterThan(2);
}, 400_000);

describe("the drill finds hubs", () => {
  const defects: readonly [what: string, mutant: Mutant, found: keyof DrillReport][] = [
    ["that take positions from a sequence", "sequence", "misheard"],
    ["that rely on notifications alone", "poll", "unheard"],
    ["whose lease has no fence", "fence", "usurped"],
  ];
  it.each(defects)(
    "%s",
    async (_what, mutant, found) => {
      const args = ["scenarios/cluster/main.ts", "--minutes", "0.2", "--writers", "16", "--listeners", "6"];
      const drill = spawn(process.execPath, args, {
        env: { ...process.env, [MUTANT_VARIABLE]: mutant },
        stdio: ["ignore", "pipe", "inherit"],
      });
      const [report, [status]] = await Promise.all([text(drill.stdout), once(drill, "exit")]);
      expect(status).toBe(1);
      expect(JSON.parse(report)[found]).toBeGreaterThan(0);
    },
    400_000,
  );
});
