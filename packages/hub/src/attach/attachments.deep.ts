import { afterAll, beforeAll, describe } from "vitest";
import type { LiveProducer } from "../../../aaep/src/subscriber/testing/live-producer.ts";
import { type AttachingHub, openAttachingHub } from "./testing/attaching-hub.ts";
import { describeAttachingOver } from "./testing/transport.contract.ts";

let hub: AttachingHub;
beforeAll(async () => {
  hub = await openAttachingHub();
});
afterAll(() => hub[Symbol.asyncDispose]());

describe.each([
  ["a WebSocket", (live: LiveProducer) => live.wsUrl],
  ["a Unix socket", (live: LiveProducer) => live.socketUrl],
] as const)("a producer that the hub is attached to over %s", (_name, urlOf) => {
  describeAttachingOver(urlOf, () => hub);
});
