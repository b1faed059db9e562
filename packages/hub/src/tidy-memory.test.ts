import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { collectGarbage } from "./tidy-memory.ts";

it("collects in several threads at once, and none takes it from another", async () => {
  const program = `
    import { parentPort } from "node:worker_threads";
    import { collectGarbage } from ${JSON.stringify(new URL("./tidy-memory.ts", import.meta.url).href)};
    const done = [];
    for (let round = 0; round < 200; round++) done.push(collectGarbage());
    parentPort.postMessage(done);
  `;
  const threads = Array.from({ length: 3 }, () => new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`)));
  const all = await Promise.all(threads.map((thread) => once(thread, "message") as Promise<[readonly boolean[]]>));
  expect(all.flatMap(([done]) => done).filter((isDone) => !isDone)).toEqual([]);
  expect(all.map(([done]) => done.length)).toEqual([200, 200, 200]);
  expect(collectGarbage()).toBe(true);
});
