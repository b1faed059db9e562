import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { aopEvent, startHub } from "./hub/hub-process.ts";

it("a hub whose log nobody reads any more goes on, and stops in order", async () => {
  await using hub = await startHub();
  hub.child.stderr?.destroy();
  await hub.post("/v1/events", aopEvent({ session: "s", sequence: 1 }));
  const exited = once(hub.child, "exit");
  hub.child.kill("SIGTERM"); // of which it tells its log
  expect(await exited).toEqual([0, null]);
  expect(existsSync(join(hub.home, "seals.jsonl"))).toBe(true);
  expect(existsSync(join(hub.home, "address.json"))).toBe(false);
});
