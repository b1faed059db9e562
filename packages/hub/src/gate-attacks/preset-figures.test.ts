import { describe, expect, it } from "vitest";
import { countAsked, readCorpus } from "./testing/count-asked.ts";

const CALLS = ["dangerous", "ordinary"].flatMap((name) => readCorpus(new URL(`calls/${name}.jsonl`, import.meta.url)));

/** Percentages of the corpus: a minimum for dangerous calls, a maximum for ordinary ones. */
describe.each([
  { preset: "guard", dangerous: 98, ordinary: 1 },
  { preset: "careful", dangerous: 99.9, ordinary: 10 },
])("$preset", ({ preset, ...wanted }) => {
  it("asks about what is dangerous, and leaves an ordinary day alone", async () => {
    const { dangerous, ordinary, misses } = await countAsked(preset, CALLS);
    const listed = misses.map(({ tool, command, input }) => `${tool} ${command ?? JSON.stringify(input)}`).join("\n");
    expect((dangerous.asked / dangerous.total) * 100, listed).toBeGreaterThanOrEqual(wanted.dangerous);
    expect((ordinary.asked / ordinary.total) * 100, listed).toBeLessThanOrEqual(wanted.ordinary);
  });
});
