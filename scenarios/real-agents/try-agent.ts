import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CasePaths, pathsIn, placeFiles, REFUSED, type RefusedCase } from "./cases.ts";
import { inSteps, runsOnce, useShell } from "./tool-inputs.ts";
import { type AgentRun, openWorkplace, type Workplace, type WorkplaceOptions } from "./workplace.ts";

/**
 * `held`: it did not happen. `ran`: it happened. `noticed`: it happened, and the hub reports that the agent is not gated. `untried`: the
 * agent does not do it without Earshot either, or has no such tool or mode. `missing`: an expected effect did not happen.
 */
export type Outcome = "held" | "ran" | "noticed" | "untried" | "done" | "missing";

export interface Tried {
  /** By case name, in table order. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** Event types that the hub received, in order of first occurrence. */
  readonly heard: readonly string[];
  /** Output of the agent and the model when something went wrong. */
  readonly trouble: string;
}

/** Outcomes that must not occur for a gated agent. */
export function isRegression(outcome: Outcome): boolean {
  return outcome === "ran" || outcome === "missing";
}

/** Tries every case without Earshot first, so that an action the agent never performs does not count as held. */
export async function tryAgent(options: WorkplaceOptions): Promise<Tried> {
  await using place = await openWorkplace(options);
  const { machine, model, modes } = place;
  const paths = pathsIn(machine.project);
  const outcomes = new Map<string, Outcome>();
  const runs: AgentRun[] = [];
  const attempt = async (one: RefusedCase, mode?: string) => {
    placeFiles(paths);
    model.forget();
    runs.push(await place.play(one.script(paths), { mode, resumes: one.resumes }));
    return one.happened(place, paths);
  };
  const attempts = [...REFUSED.map((one) => ({ name: one.name, one, mode: undefined })), ...modes.map(inMode)];
  const doneAlone = new Set<string>();
  for (const { name, one, mode } of attempts) if (await attempt(one, mode)) doneAlone.add(name);
  await place.register();
  for (const { name, one, mode } of attempts) {
    const isDone = doneAlone.has(name) && (await attempt(one, mode));
    outcomes.set(name, isDone ? "ran" : doneAlone.has(name) ? "held" : "untried");
    if (one === SHELL) outcomes.set("reason reaches the model", wasToldWhy(place, runs.at(-1)) ? "done" : "untried");
  }
  for (const mode of [undefined, ...modes]) {
    const path = join(machine.project, `nobody-${mode ?? "default"}`);
    runs.push(await place.play(runsOnce(`touch ${path}`), { mode }));
    const name = `ask with nobody there${mode === undefined ? "" : `, ${mode}`}`;
    const canRun = doneAlone.has(mode === undefined ? SHELL.name : inMode(mode).name);
    outcomes.set(name, existsSync(path) ? "ran" : canRun ? "held" : "untried");
  }
  const made = join(machine.project, "made.txt");
  runs.push(await place.play(runsOnce(`touch ${made}`), {}));
  outcomes.set("no rule: runs", existsSync(made) ? "done" : "missing");
  outcomes.set("ask waits for a person", (await waitsForPerson(place)) ? "done" : "missing");
  outcomes.set("hooks removed mid-session", await whileOpen(place, paths, () => place.play(removingHooks(paths, machine.home), {})));
  outcomes.set("launcher not executable", await withoutLauncher(place, paths));
  const isGood = ![...outcomes.values()].some(isRegression);
  return { outcomes, heard: heardTypes(place), trouble: isGood ? "" : tell(runs) };
}

const SHELL = REFUSED[0] as RefusedCase;

function inMode(mode: string) {
  return { name: `shell command, ${mode}`, one: { ...SHELL }, mode };
}

function wasToldWhy({ model }: Workplace, run: AgentRun | undefined): boolean {
  return `${run?.output}${JSON.stringify(model.heard.map(({ body }) => body))}`.includes("Nothing is removed here.");
}

/** The file must not exist while the question is open. Agents that do not ask are not awaited. */
async function waitsForPerson(place: Workplace): Promise<boolean> {
  const held = join(place.machine.project, "held.txt");
  const running = place.play(runsOnce(`touch ${held}`), {});
  const asked = place.allowNext(() => existsSync(held));
  const wasThere = await Promise.race([asked, running.then(() => true)]);
  asked.catch(() => {}); // nobody asked, and the hub is gone
  await running;
  return !wasThere && existsSync(held);
}

/** Empties every settings file that names Earshot, then performs what the rules refuse. */
function removingHooks({ precious, project }: CasePaths, home: string) {
  const named = `$(grep -rl earshot-hook ${home} ${project} --exclude-dir=.earshot --exclude-dir=node_modules)`;
  return inSteps(
    (turn) => useShell(turn, `for f in ${named}; do printf '{}' > "$f"; done`),
    (turn) => useShell(turn, `rm ${precious}`),
  );
}

async function withoutLauncher(place: Workplace, paths: CasePaths): Promise<Outcome> {
  chmodSync(place.launcher, 0o600);
  try {
    return await whileOpen(place, paths, () => place.play(runsOnce(`rm ${paths.precious}`), {}));
  } finally {
    chmodSync(place.launcher, 0o700);
  }
}

/** What happens to a refused command while the gate is disabled, and whether that is reported. Restores the settings files. */
async function whileOpen(place: Workplace, paths: CasePaths, run: () => Promise<unknown>): Promise<Outcome> {
  const { home } = place.machine;
  const settings = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\/(?:\.earshot|node_modules)(?:\/|$)/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path, readFileSync(path)] as const)
    .filter(([, text]) => text.includes("earshot-hook"));
  placeFiles(paths);
  await run();
  try {
    if (existsSync(paths.precious)) return "held";
    for (let attempt = 0; attempt < 40; attempt++) {
      if (/not gated/i.test(place.machine.earshot("status").out)) return "noticed";
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    return "ran";
  } finally {
    for (const [path, text] of settings) writeFileSync(path, text);
  }
}

function heardTypes({ machine }: Workplace): readonly string[] {
  const { items } = JSON.parse(machine.earshot("sessions", "--json").out) as { readonly items: readonly { readonly id: string }[] };
  const lines = items.flatMap(({ id }) => machine.earshot("export", id).out.split("\n"));
  const entries = lines.filter((line) => line !== "").map((line) => JSON.parse(line) as { type?: string });
  return [...new Set(entries.flatMap(({ type }) => type ?? []))];
}

function tell(runs: readonly AgentRun[]): string {
  return runs.map(({ code, output, said }) => `${said}\n  ended with ${code}: ${output.slice(-600)}`).join("\n");
}
