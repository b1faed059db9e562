import { describe, it } from "vitest";
import { SUBSCRIBER_DEFECTS, type SubscriberDefect } from "../testing/obedient-subscriber.ts";
import { expectSubscriberToFail, expectSubscriberToPass } from "../testing/subscriber-checks.ts";

it.each(["http", "ws"] as const)("passes a subscriber that keeps the rules over %s", expectSubscriberToPass);

describe.concurrent("a subscriber with one defect", () => {
  it.each(Object.keys(SUBSCRIBER_DEFECTS) as SubscriberDefect[])("fails with its rule: %s", expectSubscriberToFail);
});
