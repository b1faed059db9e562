import { describe, expect, it } from "vitest";
import { broken } from "./durability/broken.ts";
import { hasStrace, NO_STRACE, type Order, readOrder, watchCalls } from "./durability/system-calls.ts";
import { utterance } from "./durability/utterance.ts";
import { type HubProcessOptions, startHub } from "./hub/hub-process.ts";

/**
 * Killing a process does not reveal a missing sync, because the kernel keeps its writes. A power cut would; the order of system calls
 * reveals it without one.
 */
const canWatch = hasStrace();
if (!canWatch) process.stderr.write(`${NO_STRACE}\n`);
const EVENTS = 60;
/** With several threads strace misses calls, more so on a busy machine: enough must remain. */
const MIN_TRACED_ANSWERS = 10;

async function orderOf(how: Pick<HubProcessOptions, "bin" | "args" | "nodeArguments">): Promise<Order> {
  await using hub = await startHub(how);
  const lines = await watchCalls(hub.child.pid ?? 0, async () => {
    for (let number = 0; number < EVENTS; number++) {
      const response = await hub.post("/v1/events", utterance(number % 3, number));
      expect(response.status).toBe(200);
      await response.text();
    }
  });
  return readOrder(lines);
}

describe.skipIf(!canWatch)("the order in which the hub writes, syncs and answers", () => {
  // A sync missed by strace looks like an early answer, so the test is repeated then.
  it("no answer leaves before what it promises has reached the disk", { retry: 3 }, async () => {
    const order = await orderOf({});
    expect(order.early).toBe(0);
    expect(order.answers).toBeGreaterThan(MIN_TRACED_ANSWERS);
    expect(order.syncs).toBeGreaterThanOrEqual(order.answers);
  });

  it("would be seen to be wrong with a hub that does not sync", async () => {
    const order = await orderOf(broken("does not sync"));
    expect(order.answers).toBeGreaterThan(MIN_TRACED_ANSWERS);
    expect(order).toMatchObject({ syncs: 0, early: order.answers });
  });

  it("would be seen to be wrong with a hub that answers early", async () => {
    expect((await orderOf(broken("answers early"))).early).toBeGreaterThan(0);
  });
});
