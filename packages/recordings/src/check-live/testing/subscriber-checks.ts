import { expect } from "vitest";
import type { LiveReport } from "../live-report.ts";
import { openPeer } from "../peer/open-peer.ts";
import { checkSubscriber } from "../subscriber/check-subscriber.ts";
import { PlayedProducer } from "../subscriber/played-producer.ts";
import { runObedientSubscriber, SUBSCRIBER_DEFECTS, type SubscriberDefect } from "./obedient-subscriber.ts";

async function drive(transport: "http" | "ws", defect: SubscriberDefect | undefined, answerMs: number): Promise<LiveReport> {
  const reception = await PlayedProducer.open({ host: "127.0.0.1", port: 0, origins: [] });
  const url = transport === "http" ? reception.url : `${reception.url.replace("http", "ws")}/ws`;
  const subscriber = runObedientSubscriber(openPeer({ url }, {}), defect).catch(() => {});
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

/** A subscriber without a defect passes; it never renegotiates, so that is not shown. */
export async function expectSubscriberToPass(transport: "http" | "ws"): Promise<void> {
  const report = await drive(transport, undefined, 20_000);
  expect(report.scenarios.flatMap(({ name, findings }) => findings.map(({ rule, message }) => `${name}: ${rule}: ${message}`))).toEqual([]);
  expect(report.scenarios.filter(({ outcome }) => outcome !== "passed").map(({ name }) => name)).toEqual(["renegotiate"]);
  expect(report.ok).toBe(true);
}

export async function expectSubscriberToFail(defect: SubscriberDefect): Promise<void> {
  const report = await drive("http", defect, 3000);
  expect(broken(report)).toContain(SUBSCRIBER_DEFECTS[defect]);
  expect(report.ok).toBe(false);
}
