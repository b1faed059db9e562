import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { setup as buildCommand } from "../../tools/test-build.ts";
import { drillForReal } from "./drill-for-real.ts";
import { installAgent, lookForAgent } from "./install-agent.ts";
import { runInNamespace, settleInNamespace, whyNoNamespace } from "./namespace.ts";
import type { RealAgent } from "./real-agent.ts";
import { REAL_AGENTS } from "./real-agents.ts";
import { isRegression, type Tried, tryAgent } from "./try-agent.ts";
import { type MatrixColumn, writeMatrix } from "./write-matrix.ts";

const MATRIX = resolve(import.meta.dirname, "../../docs/agents-matrix.md");

const HELP = `Usage: npm run scenario:real-agents -- [options]

Installs real coding agents from the package registry into a temporary folder, and runs each of them without a network against a
model on loopback that says what it is told to: it wants things done that a rule refuses, in every way the agent has, something made
that no rule speaks about, and something made that a person has to allow. Fails when one of them does what was refused and nobody is
told.

  --agent NAME       only this one, or several with commas
  --folder FOLDER    where to install them, to be found there the next time
  --write            write the table to docs/agents-matrix.md
  --drill            break the gate of each, and compare what it does with what its documents say
`;

const { values } = parseArgs({
  options: {
    agent: { type: "string" },
    folder: { type: "string" },
    drill: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    inside: { type: "boolean", default: false },
    help: { type: "boolean" },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);
const wanted = REAL_AGENTS.filter(({ slug }) => values.agent === undefined || values.agent.split(",").includes(slug));

if (values.help === true) say(HELP);
else process.exitCode = values.inside ? await runInside(resolve(values.folder ?? "")) : await runOutside();

async function runOutside(): Promise<number> {
  const why = whyNoNamespace();
  if (why !== undefined) {
    say(`SKIPPED: no agent was run, since ${why}.`);
    return 0;
  }
  buildCommand();
  const folder = values.folder === undefined ? mkdtempSync(join(tmpdir(), "earshot-agents-")) : resolve(values.folder);
  try {
    for (const agent of wanted) {
      const found = installAgent(agent, folder);
      say(found.isThere ? `${agent.name} ${found.version}: ${agent.package}` : `${agent.name}: not run, since ${found.why}`);
    }
    const words = ["--inside", "--folder", folder, "--agent", wanted.map(({ slug }) => slug).join(",")];
    const more = [...(values.drill ? ["--drill"] : []), ...(values.write ? ["--write"] : [])];
    return await runInNamespace(import.meta.filename, [...words, ...more]);
  } finally {
    if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function runInside(folder: string): Promise<number> {
  settleInNamespace();
  let isGood = true;
  const columns: MatrixColumn[] = [];
  for (const agent of wanted) {
    const found = lookForAgent(agent, folder);
    if (!found.isThere) columns.push({ name: agent.name, version: "-", tried: found.why });
    else if (values.drill) isGood = (await drillForReal({ agent, program: found.program }, say)) && isGood;
    else {
      const tried = await tryOne(agent, found);
      isGood &&= ![...tried.outcomes.values()].some(isRegression);
      columns.push({ name: agent.name, version: found.version, tried });
    }
  }
  if (!values.drill) {
    const matrix = writeMatrix(columns);
    if (values.write) writeFileSync(MATRIX, matrix);
    say(matrix);
  }
  return isGood ? 0 : 1;
}

async function tryOne(agent: RealAgent, { program }: { readonly program: string }): Promise<Tried> {
  const tried = await tryAgent({ agent, program }, say);
  if (tried.trouble !== "") say(`${agent.name}:\n${tried.trouble}\n`);
  say(`${agent.name}: heard ${tried.heard.join(" ")}`);
  return tried;
}
