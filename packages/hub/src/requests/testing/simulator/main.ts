import { parseArgs } from "node:util";
import { CORRECT_BEHAVIOR, HUB_MUTANTS, MUTANTS } from "./mutants.ts";
import { simulate } from "./world.ts";

/** `node tools/install.cjs packages/hub/src/requests/testing/simulator/main.ts --seeds 100000`, `--seed N` for one of them again, `--bug NAME` for a broken machine, `--hubs 3` for hubs on a database. */
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "10000" },
    seed: { type: "string" },
    from: { type: "string", default: "1" },
    bug: { type: "string" },
    hubs: { type: "string" },
  },
});
const bugs = { ...MUTANTS, ...HUB_MUTANTS };
const hubs = values.hubs === undefined ? undefined : Number(values.hubs);
const behaviour = values.bug === undefined ? CORRECT_BEHAVIOR : bugs[values.bug]?.behaviour;
if (behaviour === undefined) throw new Error(`There is no bug ${values.bug}; there are: ${Object.keys(bugs).join("; ")}.`);
const print = (line: string) => void process.stdout.write(`${line}\n`);

const first = Number(values.seed ?? values.from);
const count = values.seed === undefined ? Number(values.seeds) : 1;
let steps = 0;
let questions = 0;
const began = performance.now();
for (let seed = first; seed < first + count; seed++) {
  const outcome = simulate(seed, behaviour, hubs);
  steps += outcome.steps;
  questions += outcome.questions;
  if (outcome.broken !== undefined) {
    print(`Seed ${seed}: ${outcome.broken.message}`);
    print(`Again with: node tools/install.cjs packages/hub/src/requests/testing/simulator/main.ts --seed ${seed}`);
    process.exitCode = 1;
    break;
  }
  if ((seed - first + 1) % 10_000 === 0) print(`${seed - first + 1} seeds, ${steps} steps`);
}
const seconds = Math.round((performance.now() - began) / 100) / 10;
print(
  `${count} seeds from ${first}: ${questions} questions, ${steps} steps, ${process.exitCode === 1 ? "broken" : "0 broken"}, ${seconds} s`,
);
