import { describe, expect, it } from "vitest";
import { CONFORMANCE_CASES } from "../../../protocol/testing/conformance.ts";
import { canSay } from "./compare-lanes.ts";
import { RunReader } from "./run-reader.ts";
import { NOTHING_EXCLUDED } from "./testing/read-run.ts";

describe("What a protocol has a word for", () => {
  it("includes everything that any recording of the corpus says in it", () => {
    const unexpected = new Set<string>();
    for (const { id, lines } of CONFORMANCE_CASES) {
      const reader = new RunReader();
      for (const line of lines) reader.handle(line);
      for (const { protocol, steps } of reader.end(id, NOTHING_EXCLUDED)?.lanes ?? []) {
        for (const { kind } of steps) if (!canSay(protocol, kind)) unexpected.add(`${protocol} ${kind}`);
      }
    }
    expect([...unexpected]).toEqual([]);
  });
});
