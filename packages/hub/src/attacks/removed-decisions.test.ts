import { describe, expect, it } from "vitest";
import { planPruning, pruneEntries } from "../keeping/prune.ts";
import { openKeptLedger } from "../keeping/testing/kept-ledger.ts";

describe("held: a program without a credential wants a decision removed", () => {
  it("by filling the ledger until the oldest entries are removed", async () => {
    await using kept = await openKeptLedger();
    const { ledger, say } = kept;
    await say({ session: "asks", sequence: 1, ageDays: 2, protocol: "aep", type: "model.delta", asks: "request-1" });
    await ledger.settle({ requestId: "request-1", state: "answered-by-person", digest: "d", by: "Ana", answer: '{"word":"deny"}' });
    const payload = { content: "x".repeat(20_000) };
    for (let session = 0; session < 100; session++) await say({ session: `flood-${session}`, sequence: 2, ageDays: 0, payload });
    const { fileBytes, freeBytes } = await ledger.space();
    const limits = { keepBytes: Math.floor((fileBytes - freeBytes) / 4) };
    let planned = 0;
    for await (const step of planPruning(limits, kept)) if ("result" in step) planned = step.result.entries;
    for await (const _step of pruneEntries(limits, kept));
    const { entries } = await ledger.read({ after: 0, limit: 1000 });
    expect(entries.map(({ kind }) => kind)).toContain("decision");
    expect(entries.length).toBeLessThan(60);
    expect(planned).toBeGreaterThan(60);
  });
});
