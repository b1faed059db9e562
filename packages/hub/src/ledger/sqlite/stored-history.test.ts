import { describe, expect, it } from "vitest";
import { hookAsk, hookEventOf, openBench } from "../../requests/testing/engine-bench.ts";
import { StoredHistory } from "./stored-history.ts";

describe("the history of a ledger that somebody else has open", () => {
  it("gives entries and the requests that they opened, and cannot write", async () => {
    await using bench = await openBench();
    await bench.hooks.ask(hookAsk(hookEventOf(), bench.clock.now, { asksItself: true, besideDialog: true }), 0);
    await bench.settled();
    await using history = new StoredHistory(bench.path);
    const { entries } = await history.read({ after: 0, limit: 10, filter: { type: ["action.requested"] } });
    const [request] = await history.requests({ after: 0, limit: 10 });
    expect(entries.map(({ position }) => position)).toEqual([request?.position]);
    expect(await history.head()).toBe(request?.position);
  });

  it("is refused where there is no ledger", () => {
    expect(() => new StoredHistory("/nowhere/ledger.db")).toThrow("no such file");
  });
});
