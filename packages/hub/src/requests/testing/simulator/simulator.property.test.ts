import { describe, expect, it } from "vitest";
import { testVolume } from "../../../../../../tools/test-volume.ts";
import { INVARIANTS } from "./invariants.ts";
import { HUB_MUTANTS, MUTANTS } from "./mutants.ts";
import { simulate } from "./world.ts";

/** A seed that breaks an invariant is printed; `main.ts` in this folder runs any number of seeds. */
const SEEDS = testVolume({ fast: 400, short: 3000, full: 50_000 });
const HUBS = 3;
/** Three hubs take three times as long as two processes. */
const HUB_SEEDS = Math.ceil(SEEDS / 4);
/** Bugs that show when a clock is set. Hubs go by the database's, which nobody sets. */
const NEED_SET_CLOCK = ["goes by the wall clock", "believes the wall clock after a restart"];
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

  it(`break nothing at three hubs that lose their database, in ${HUB_SEEDS} runs`, () => {
    for (let seed = 1; seed <= HUB_SEEDS; seed++) expect(simulate(seed, undefined, HUBS).broken?.message, `seed ${seed}`).toBeUndefined();
  });

  it("go the same way from the same seed", () => {
    for (const seed of [1, 77, 4711]) expect(simulate(seed)).toEqual(simulate(seed));
  });
});

describe("a machine with a bug", () => {
  const findBug = ({ breaks, behaviour }: (typeof MUTANTS)[string], hubs?: number) => {
    const found = new Set<string>();
    for (let seed = 1; seed <= MAX_SEEDS_TO_FIND_A_BUG && !found.has(breaks); seed++) {
      const { broken } = simulate(seed, behaviour, hubs);
      if (broken !== undefined) found.add(broken.invariant);
    }
    expect([...found]).toContain(breaks);
  };
  it.each(Object.entries(MUTANTS))("that %s is found out", (_name, mutant) => findBug(mutant));

  const amongHubs = Object.entries({ ...MUTANTS, ...HUB_MUTANTS }).filter(([name]) => !NEED_SET_CLOCK.includes(name));
  it.each(amongHubs)("that %s is found out among hubs", (_name, mutant) => findBug(mutant, HUBS));

  it("is there for every invariant", () => {
    const broken = new Set(Object.values({ ...MUTANTS, ...HUB_MUTANTS }).map(({ breaks }) => breaks));
    expect(INVARIANTS.filter((invariant) => !broken.has(invariant))).toEqual([]);
  });
});
