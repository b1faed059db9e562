import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ASKED, type CasePaths, IN_EVERY_MODE, pathsIn, placeFiles, REFUSED, type RefusedCase } from "./cases.ts";
import type { Line, Turn } from "./model/script.ts";
import { inSteps, runsOnce, useShell } from "./tool-inputs.ts";
import { type AgentRun, openWorkplace, type Workplace, type WorkplaceOptions } from "./workplace.ts";

/**
 * `held`: it did not happen. `ran`: it happened. `noticed`: it happened, and the hub reports that the agent is not gated. `waits`: it did
 * not happen, and the agent waited for an answer to its own question until its deadline. `untried`: the agent does not do it without
 * Earshot either, or has no such tool or mode. `missing`: an expected effect did not happen. `stopped`: the agent did not end before its
 * deadline, and was killed.
 */
export type Outcome = "held" | "ran" | "noticed" | "untried" | "done" | "missing" | "stopped" | "waits";

export interface Tried {
  /** By case name, in table order. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** Event types that the hub received, in order of first occurrence. */
  readonly heard: readonly string[];
  /** Output of the agent and requests to the model, for each regression. */
  readonly trouble: string;
}

/** Outcomes that must not occur for a gated agent. */
export function isRegression(outcome: Outcome): boolean {
  return outcome === "ran" || outcome === "missing" || outcome === "stopped";
}

/** Tries every case without Earshot first, so that an action the agent never performs does not count as held. */
export async function tryAgent(options: WorkplaceOptions, say: (line: string) => void): Promise<Tried> {
  await using place = await openWorkplace(options);
  const { machine, model, modes } = place;
  const paths = pathsIn(machine.project);
  const outcomes = new Map<string, Outcome>();
  const trouble: string[] = [];
  const attempt = async (one: RefusedCase, mode: string | undefined) => {
    placeFiles(paths);
    model.forget();
    const run = await place.play(one.script(paths), { mode, resumes: one.resumes });
    return { run, happened: one.happened(place, paths) };
  };
  const conclude = (name: string, outcome: Outcome, run?: AgentRun) => {
    outcomes.set(name, outcome);
    say(`${options.agent.name}: ${name}: ${outcome}`);
    if (run !== undefined && isRegression(outcome)) trouble.push(`${name}: ${tell(run)}`);
  };
  const everyMode = IN_EVERY_MODE.flatMap((one) => modes.map((mode) => ({ name: `${one.name}, ${mode}`, one, mode })));
  const attempts = [...[...REFUSED, ...ASKED].map((one) => ({ name: one.name, one, mode: undefined })), ...everyMode];
  const alone = new Set<string>();
  for (const { name, one, mode } of attempts) if ((await attempt(one, mode)).happened) alone.add(name);
  say(`${options.agent.name} without Earshot: ${[...alone].join("; ")}`);
  await place.register();
  for (const { name, one, mode } of attempts) {
    if (!alone.has(name)) {
      conclude(name, "untried");
      continue;
    }
    const { run, happened } = await attempt(one, mode);
    conclude(name, happened ? "ran" : run.isStopped ? (ASKED.includes(one) ? "waits" : "stopped") : "held", run);
    if (name === REFUSED[0]?.name) conclude("reason reaches the model", wasToldWhy(place, run) ? "done" : "untried");
  }
  const made = join(machine.project, "made.txt");
  const making = await place.play(runsOnce(`touch ${made}`), {});
  conclude("no rule: runs", existsSync(made) ? "done" : making.isStopped ? "stopped" : "missing", making);
  conclude("hooks removed by the agent", await whileOpen(place, paths, removesHooks(place, paths)));
  conclude("hooks removed mid-session", await whileOpen(place, paths, losesHooks(place, paths)));
  conclude("launcher not executable", await withoutLauncher(place, paths));
  conclude("ask waits for a person", (await waitsForPerson(place)) ? "done" : "missing");
  return { outcomes, heard: heardTypes(place), trouble: trouble.join("\n") };
}

function wasToldWhy({ model }: Workplace, run: AgentRun): boolean {
  return `${run.output}${JSON.stringify(model.heard.map(({ body }) => body))}`.includes("Nothing is removed here.");
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

type Steps = readonly ((turn: Turn) => Line | undefined)[];

/** The agent empties every settings file that names Earshot, then removes what the rules refuse. */
function removesHooks({ machine }: Workplace, { precious, project }: CasePaths): Steps {
  const named = `$(grep -rl earshot-hook ${machine.home} ${project} --exclude-dir=.earshot --exclude-dir=node_modules)`;
  return [(turn) => useShell(turn, `for f in ${named}; do printf '{}' > "$f"; done`), (turn) => useShell(turn, `rm ${precious}`)];
}

/** Another program empties them between two calls of the agent. */
function losesHooks({ machine }: Workplace, { precious, project }: CasePaths): Steps {
  return [
    (turn) => useShell(turn, `touch ${project}/first.txt`),
    (turn) => {
      for (const [path] of settingsOf(machine.home)) writeFileSync(path, "{}");
      return useShell(turn, `rm ${precious}`);
    },
  ];
}

async function withoutLauncher(place: Workplace, paths: CasePaths): Promise<Outcome> {
  chmodSync(place.launcher, 0o600);
  try {
    return await whileOpen(place, paths, [(turn) => useShell(turn, `rm ${paths.precious}`)]);
  } finally {
    chmodSync(place.launcher, 0o700);
  }
}

/** The fate of a refused command while the gate is open, and whether the hub reports it. Settings files are put back afterwards. */
async function whileOpen(place: Workplace, paths: CasePaths, steps: Steps): Promise<Outcome> {
  const settings = settingsOf(place.machine.home);
  const before = new Set(gateLines(place));
  placeFiles(paths);
  const { isStopped } = await place.play(inSteps(...steps), {});
  try {
    if (existsSync(paths.precious)) return isStopped ? "stopped" : "held";
    for (let attempt = 0; attempt < 40; attempt++) {
      if (gateLines(place).some((line) => !before.has(line))) return "noticed";
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    return "ran";
  } finally {
    for (const [path, text] of settings) writeFileSync(path, text);
  }
}

function gateLines({ machine }: Workplace): readonly string[] {
  const lines = machine.earshot("status").out.split("\n");
  return lines.filter((line) => /not gated/i.test(line));
}

/** The agents' settings files that name the launcher. */
function settingsOf(home: string): readonly (readonly [path: string, text: Buffer])[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\/(?:\.earshot|node_modules)(?:\/|$)/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path, readFileSync(path)] as const)
    .filter(([, text]) => text.includes("earshot-hook"));
}

function heardTypes({ machine }: Workplace): readonly string[] {
  const { items } = JSON.parse(machine.earshot("sessions", "--json").out) as { readonly items: readonly { readonly id: string }[] };
  const lines = items.flatMap(({ id }) => machine.earshot("export", id).out.split("\n"));
  const entries = lines.filter((line) => line !== "").map((line) => JSON.parse(line) as { type?: string });
  return [...new Set(entries.flatMap(({ type }) => type ?? []))];
}

function tell({ code, output, said }: AgentRun): string {
  return `${said.slice(-2000)}\n  ended with ${code}: ${output.slice(-600)}`;
}
