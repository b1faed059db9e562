import { describe, expect, it } from "vitest";
import type { SubscriberDefect } from "../testing/obedient-subscriber.ts";
import { expectSubscriberToFail, expectSubscriberToPass } from "../testing/subscriber-checks.ts";
import { checkSubscriber } from "./check-subscriber.ts";
import { PlayedProducer } from "./played-producer.ts";

/** `check-subscriber.deep.ts` checks all of them. */
const SOME: readonly SubscriberDefect[] = ["answers-twice", "changes-the-token", "answers-in-the-wrong-form"];

it("passes a subscriber that keeps the rules, and does not show what it never did", () => expectSubscriberToPass("http"));

describe.concurrent("a subscriber with one defect", () => {
  it.each(SOME)("fails with its rule: %s", expectSubscriberToFail);
});

it("shows nothing when nobody comes", async () => {
  const reception = await PlayedProducer.open({ host: "127.0.0.1", port: 0, origins: [] });
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
