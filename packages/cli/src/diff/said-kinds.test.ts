import { describe, expect, it } from "vitest";
import { RunReader } from "./run-reader.ts";
import { canSay } from "./said-kinds.ts";
import { CORPUS, linesIn } from "./testing/corpus.ts";
import { NOTHING_UNWANTED } from "./testing/read-run.ts";

describe("What a protocol has a word for", () => {
  it("includes everything that any recording of the corpus says in it", () => {
    const unexpected = new Set<string>();
    for (const file of CORPUS) {
      const reader = new RunReader();
      for (const line of linesIn(file)) reader.hear(line);
      for (const { protocol, steps } of reader.end(file, NOTHING_UNWANTED)?.lanes ?? []) {
        for (const { kind } of steps) if (!canSay(protocol, kind)) unexpected.add(`${protocol} ${kind}`);
      }
    }
    expect([...unexpected]).toEqual([]);
  });
});
