import { expect, it } from "vitest";
import { runDrill } from "./cluster/drill.ts";

it("three hubs lose, skip, repeat and decide nothing twice while hubs are killed and PostgreSQL restarts", async () => {
  const report = await runDrill({ seconds: 40, writers: 8, listeners: 4, log: () => {} });
  expect(report).toMatchObject({ lost: 0, duplicated: 0, misheard: 0, misdecided: 0, verifies: true });
  expect(report.hubKills).toBeGreaterThan(2);
  expect(report.acknowledged).toBeGreaterThan(50);
  expect(report.requests).toBeGreaterThan(2);
}, 400_000);
