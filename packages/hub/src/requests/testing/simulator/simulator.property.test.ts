import { describe, expect, it } from "vitest";
import { testVolume } from "../../../../../../tools/test-volume.ts";
import { INVARIANTS } from "./invariants.ts";
import { MUTANTS } from "./mutants.ts";
import { simulate } from "./world.ts";

/** A seed that breaks an invariant is printed; `main.ts` in this folder runs any number of seeds. */
const SEEDS = testVolume({ fast: 400, short: 3000, full: 50_000 });
const MAX_SEEDS_TO_FIND_A_BUG = 1000;

describe("processes, people, agents and everything that goes wrong between them", () => {
  it(`break nothing in ${SEEDS} runs`, () => {
    let questions = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const outcome = simulate(seed);
      expect(outcome.broken?.message, `seed ${seed}`).toBeUndefined();
      questions += outcome.questions;
    }
    expect(questions).toBeGreaterThan(SEEDS);
  });

  it("go the same way from the same seed", () => {
    for (const seed of [1, 77, 4711]) expect(simulate(seed)).toEqual(simulate(seed));
  });
});

describe("a machine with a bug", () => {
  it.each(Object.entries(MUTANTS))("that %s is found out", (_name, { breaks, behaviour }) => {
    const found = new Set<string>();
    for (let seed = 1; seed <= MAX_SEEDS_TO_FIND_A_BUG && !found.has(breaks); seed++) {
      const { broken } = simulate(seed, behaviour);
      if (broken !== undefined) found.add(broken.invariant);
    }
    expect([...found]).toContain(breaks);
  });

  it("is there for every invariant", () => {
    const broken = new Set(Object.values(MUTANTS).map(({ breaks }) => breaks));
    expect(INVARIANTS.filter((invariant) => !broken.has(invariant))).toEqual([]);
  });
});
