import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findCard } from "../../packages/cli/src/agents/find-card.ts";
import { breakGates, FAULTS, type Fault } from "../../packages/cli/src/agents/testing/break-gates.ts";
import { pathsIn, placeFiles } from "./cases.ts";
import { runsOnce } from "./tool-inputs.ts";
import { openWorkplace, type Workplace, type WorkplaceOptions } from "./workplace.ts";

/** The smallest timeout in every agent's unit, so that no test waits for a day. */
const HURRY_S = 1;

/** Refusing the prompt itself would hide the result for the tool. */
const ONLY_TOOLS = "case $2 in PreToolUse|preToolUse|BeforeTool|tool.execute.before|tool_call) ;; *) exit 0 ;; esac";

/**
 * Breaks a real agent's gate in the same ways as `breakGates` does for a simulated one, and compares what each does with a refused tool.
 * Returns whether the simulation matches.
 */
export async function drillForReal(options: WorkplaceOptions, say: (line: string) => void): Promise<boolean> {
  const { agent } = options;
  const card = findCard(agent.slug);
  if (card === undefined) throw new Error(`There is no card for ${agent.slug}.`);
  const documented = new Map<string, string>();
  // The first host of an agent is its command line.
  for await (const { fault, verdict } of breakGates([card])) if (!documented.has(fault.name)) documented.set(fault.name, verdict.effect);
  await using place = await openWorkplace(options);
  await place.register();
  renameSync(place.launcher, `${place.launcher}.real`);
  let isGood = true;
  // A stopped hub stays down; a hook may have started another one meanwhile.
  const inOrder = [...FAULTS.filter(({ hub }) => hub !== "down"), ...FAULTS.filter(({ hub }) => hub === "down")];
  for (const fault of inOrder) {
    const expected = documented.get(fault.name) ?? "-";
    const seen = fault.isHang === true && card.deadline.isFixed === true ? "not tried" : await breakOnce(place, fault);
    const isSame = seen === "not tried" || seen === (expected === "ran" ? "ran" : "blocked");
    isGood &&= isSame;
    say(`${agent.name.padEnd(12)} ${fault.name.padEnd(34)} ${seen.padEnd(9)} as documented: ${expected}${isSame ? "" : "  DIFFERENT"}`);
  }
  return isGood;
}

/** Nobody answers, so what is asked about must not happen. */
async function breakOnce(place: Workplace, fault: Fault): Promise<"ran" | "blocked"> {
  const paths = pathsIn(place.machine.project);
  placeFiles(paths);
  rmSync(place.launcher, { force: true });
  if (fault.script !== undefined) writeFileSync(place.launcher, fault.script.replace("\n", `\n${ONLY_TOOLS}\n`));
  if (fault.script !== undefined && fault.mode !== undefined) chmodSync(place.launcher, fault.mode);
  if (fault.hub !== undefined) renameSync(`${place.launcher}.real`, place.launcher);
  if (fault.hub === "down") stopHub(place);
  const restore = fault.isHang === true ? hurry(place) : undefined;
  try {
    await place.play(runsOnce(`rm ${paths.precious}`), {});
    return existsSync(paths.precious) ? "blocked" : "ran";
  } finally {
    restore?.();
    if (fault.hub !== undefined) renameSync(place.launcher, `${place.launcher}.real`);
  }
}

/** Stopped, and recorded as impossible to start, which hooks believe for a while. */
function stopHub({ machine }: Workplace): void {
  machine.earshot("hub", "stop");
  const run = join(machine.home, ".earshot/run");
  mkdirSync(run, { recursive: true });
  writeFileSync(join(run, "starting"), "");
  const justBefore = Date.now() / 1000 - 5;
  utimesSync(join(run, "starting"), justBefore, justBefore);
}

/** Replaces every deadline of a day by a moment. */
function hurry({ machine }: Workplace): () => void {
  const texts = readdirSync(machine.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("/.earshot"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => /(?:settings|hooks)\.json$|earshot\.[jt]s$/.test(path))
    .map((path) => [path, readFileSync(path, "utf8")] as const);
  for (const [path, text] of texts) writeFileSync(path, text.replaceAll("86400", String(HURRY_S)));
  return () => {
    for (const [path, text] of texts) writeFileSync(path, text);
  };
}
