import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { drillForReal } from "./drill-for-real.ts";
import { installAgent, lookForAgent } from "./install-agent.ts";
import { runInNamespace, settleInNamespace, whyNoNamespace } from "./namespace.ts";
import type { RealAgent } from "./real-agent.ts";
import { REAL_AGENTS } from "./real-agents.ts";
import { tryAgent } from "./try-agent.ts";

const HELP = `Usage: npm run scenario:real-agents -- [options]

Installs real coding agents from the package registry into a temporary folder, and runs each of them without a network against a
model on loopback that says what it is told to: it wants something removed that a rule refuses, something made that no rule speaks
about, and something made that a person has to allow.

  --agent NAME       only this one, or several with commas
  --folder FOLDER    where to install them, to be found there the next time
  --payloads FOLDER  keep what each hook was given
  --drill            break the gate of each, and compare what it does with what its documents say
`;

const { values } = parseArgs({
  options: {
    agent: { type: "string" },
    folder: { type: "string" },
    payloads: { type: "string" },
    drill: { type: "boolean", default: false },
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
  const folder = values.folder === undefined ? mkdtempSync(join(tmpdir(), "earshot-agents-")) : resolve(values.folder);
  try {
    for (const agent of wanted) {
      const found = installAgent(agent, folder);
      say(found.isThere ? `${agent.name} ${found.version}: ${agent.package}` : `${agent.name}: not run, since ${found.why}`);
    }
    const words = ["--inside", "--folder", folder, "--agent", wanted.map(({ slug }) => slug).join(",")];
    const more = [...(values.drill ? ["--drill"] : []), ...(values.payloads === undefined ? [] : ["--payloads", resolve(values.payloads)])];
    return await runInNamespace(import.meta.filename, [...words, ...more]);
  } finally {
    if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function runInside(folder: string): Promise<number> {
  settleInNamespace();
  let isGood = true;
  const lines: string[][] = [];
  for (const agent of wanted) {
    const found = lookForAgent(agent, folder);
    if (!found.isThere) lines.push([agent.name, "-", `not run: ${found.why}`]);
    else if (values.drill) isGood = (await drillForReal({ agent, program: found.program }, say)) && isGood;
    else {
      const line = await tryOne(agent, found);
      isGood &&= line.isGood;
      lines.push(line.cells);
    }
  }
  if (!values.drill) sayTable([["agent", "version", "ran", "deny obeyed", "told why", "rest ran", "waited", "heard"], ...lines]);
  return isGood ? 0 : 1;
}

async function tryOne(agent: RealAgent, { program, version }: { readonly program: string; readonly version: string }) {
  const payloads = values.payloads === undefined ? undefined : join(resolve(values.payloads), agent.slug);
  const tried = await tryAgent({ agent, program, payloads });
  if (tried.trouble !== "") say(`${agent.name}:\n${tried.trouble}\n`);
  const { ran, obeyed, toldWhy, passed, waited, heard } = tried;
  const cells = [agent.name, version, ...[ran, obeyed, toldWhy, passed, waited].map((one) => (one ? "yes" : "NO")), heard.join(" ")];
  return { cells, isGood: ran && obeyed && passed && waited && heard.length > 0 };
}

function sayTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, index) =>
    Math.max(...rows.filter(({ length }) => length > index + 1).map((row) => row[index]?.length ?? 0)),
  );
  for (const row of rows) say(row.map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))).join("  "));
}
