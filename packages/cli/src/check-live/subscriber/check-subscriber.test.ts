import { describe, expect, it } from "vitest";
import type { LiveReport } from "../live-report.ts";
import { openPeer } from "../peer/open-peer.ts";
import { obey, SUBSCRIBER_DEFECTS, type SubscriberDefect } from "../testing/obedient-subscriber.ts";
import { checkSubscriber } from "./check-subscriber.ts";
import { Reception } from "./reception.ts";

async function drive(transport: "http" | "ws", defect: SubscriberDefect | undefined, answerMs: number): Promise<LiveReport> {
  const reception = await Reception.open({ host: "127.0.0.1", port: 0, origins: [] });
  const url = transport === "http" ? reception.url : `${reception.url.replace("http", "ws")}/ws`;
  const subscriber = obey(openPeer({ url }, {}), defect).catch(() => {});
  const report = await checkSubscriber({
    reception,
    level: 3,
    patience: { answerMs, quietMs: 200, shortSeconds: 1 },
    strict: false,
    requiresAll: false,
  });
  await reception.close();
  await subscriber;
  return report;
}

const broken = (report: LiveReport) => report.scenarios.flatMap(({ findings }) => findings.map(({ rule }) => rule));

describe("a subscriber that keeps the rules", () => {
  it.each(["http", "ws"] as const)("passes over %s, and what it never did is not shown", async (transport) => {
    const report = await drive(transport, undefined, 20_000);
    expect(report.scenarios.flatMap(({ name, findings }) => findings.map(({ rule, message }) => `${name}: ${rule}: ${message}`))).toEqual(
      [],
    );
    expect(report.scenarios.filter(({ outcome }) => outcome !== "passed").map(({ name }) => name)).toEqual(["renegotiate"]);
    expect(report.ok).toBe(true);
  });
});

describe.concurrent("a subscriber with one defect", () => {
  it.each(Object.keys(SUBSCRIBER_DEFECTS) as SubscriberDefect[])("fails with its rule: %s", async (defect) => {
    const report = await drive("http", defect, 3000);
    expect(broken(report)).toContain(SUBSCRIBER_DEFECTS[defect]);
    expect(report.ok).toBe(false);
  });
});

it("shows nothing when nobody comes", async () => {
  const reception = await Reception.open({ host: "127.0.0.1", port: 0, origins: [] });
  const report = await checkSubscriber({
    reception,
    level: 1,
    patience: { answerMs: 50, quietMs: 10, shortSeconds: 1 },
    strict: false,
    requiresAll: false,
  });
  await reception.close();
  expect(report.scenarios.map(({ outcome }) => outcome)).toEqual(["not-shown", "not-shown"]);
});
