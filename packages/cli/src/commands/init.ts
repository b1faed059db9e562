import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { homeOf, prepareHome, writePrivately } from "@earshot/hub/home";
import { type PresetChoice, presetText } from "@earshot/policy";
import { carryOut } from "../agents/carry-out.ts";
import { detectAgent, detectAgents, type Found } from "../agents/detect.ts";
import { TOKEN_VARIABLE } from "../agents/entries.ts";
import { installLauncher, type Launcher, launcherFor, lookAtLauncher } from "../agents/install-launcher.ts";
import { hubUrl, type Installation, namedAdapters, placeFor, readScope, thisInstallation } from "../agents/installation.ts";
import type { Place } from "../agents/place.ts";
import { type FilePlan, planFile, targetsFor } from "../agents/plan.ts";
import { planLines } from "../agents/plan-lines.ts";
import { choosePreset, findPreset } from "../agents/preset-choice.ts";
import { Record } from "../agents/record.ts";
import { isTooOld } from "../agents/registrations.ts";
import { EXIT, type Io } from "../io.ts";
import { hasKeyboard } from "../terminal/ask.ts";
import { confirm } from "../terminal/confirm.ts";
import { plainText } from "../terminal/plain-text.ts";
import { usage } from "../usage.ts";

export const INIT_HELP = `Usage: earshot init [--agent NAME]... [--scope user|project] [--preset NAME] [--dry-run]

Has the coding agents on this machine run Earshot's hook: what they do is recorded, and what can change something can be held for
your decision. It finds the agents, shows every line it would write, and asks. Settings are added to, never replaced; a file that
cannot be read is left alone; what was there is backed up. \`earshot remove\` puts it back.

  --agent NAME     only this agent; may be given several times
  --scope project  for everybody who works on the project in this folder; the hooks do nothing on a machine without Earshot
  --preset NAME    the rules to begin with, if you have none: guard, fewer-prompts or watch-only
  --http           what is only told goes over HTTP where the agent can; what can be refused stays a command
  --dry-run        only shows what would be written
  --yes            does not ask
`;

/** What is done for one agent. */
interface Work {
  readonly found: Found;
  readonly plans: readonly FilePlan[];
}

export async function init(argv: readonly string[], io: Io, installation: Installation = thisInstallation()): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      agent: { type: "string", multiple: true, default: [] },
      scope: { type: "string", default: "user" },
      preset: { type: "string" },
      http: { type: "boolean", default: false },
      "dry-run": { type: "boolean", default: false },
      yes: { type: "boolean", short: "y", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    io.out(INIT_HELP);
    return EXIT.ok;
  }
  const place = placeFor(installation, readScope(values.scope));
  const preset = values.preset === undefined ? undefined : findPreset(values.preset);
  const record = new Record(place.earshotHome);
  const found = findAgents([...values.agent, ...positionals], place);
  if (found.length === 0) {
    io.out("No coding agent was found here. Name one with --agent, and its hooks are written anyway.\n");
    return EXIT.found;
  }
  const httpUrl = values.http ? hubUrl(installation) : undefined;
  const works = found.map((one) => ({
    found: one,
    plans: targetsFor(one.adapter, place, { version: one.version, httpUrl }).map((target) => planFile(target, record)),
  }));
  const launcher = await launcherFor(installation.env, installation.platform);
  tellPlans(works, launcher, place, io);
  const isRefused = works.some(({ plans }) => plans.some(({ kind }) => kind === "refused"));
  const outcome = isRefused ? EXIT.found : EXIT.ok;
  const policyPath = homeOf(installation.env).policy;
  const needsPolicy = !existsSync(policyPath);
  if (values["dry-run"]) {
    if (needsPolicy) io.out(`Rules would be written to ${plainText(policyPath)}: ${(preset ?? findPreset("guard")).name}\n`);
    io.out("Nothing was written.\n");
    return outcome;
  }
  const isAsked = hasKeyboard(io) && !values.yes;
  const chosen = needsPolicy ? (preset ?? (isAsked ? await choosePreset(io) : findPreset("guard"))) : undefined;
  if ((needsPolicy && chosen === undefined) || (isAsked && !(await confirm(io, "Write this?")))) {
    io.out("Nothing was written.\n");
    return EXIT.found;
  }
  prepareHome(homeOf(installation.env));
  if (lookAtLauncher(launcher, installation.platform) !== "good") installLauncher(launcher, installation.env);
  for (const { plans } of works) {
    for (const plan of plans) {
      if (plan.kind !== "write") continue;
      const http = httpUrl !== undefined && plan.after.includes(`${httpUrl}/hooks/`);
      carryOut(plan, place, record, { now: installation.now(), http });
    }
  }
  if (chosen !== undefined) writePolicy(policyPath, chosen, io);
  else if (preset !== undefined) io.out(`Your rules in ${plainText(policyPath)} stay as they are; ${preset.name} was not written.\n`);
  tellWhatFollows(works, io);
  if (values.http)
    io.out(`Over HTTP, start the agents with ${TOKEN_VARIABLE} set to what ${plainText(homeOf(installation.env).producerToken)} holds.\n`);
  return outcome;
}

function findAgents(names: readonly string[], place: Place): readonly Found[] {
  if (names.length === 0) return detectAgents(place).filter(({ adapter }) => adapter[place.scope] !== undefined);
  return namedAdapters(names).map((adapter) => {
    if (adapter[place.scope] === undefined) {
      const other = place.scope === "user" ? "project" : "user";
      throw usage(`${adapter.name} has no hooks of this kind.`, `earshot init --agent ${adapter.slug} --scope ${other}`);
    }
    return detectAgent(adapter, place) ?? { adapter, by: "named" };
  });
}

function tellPlans(works: readonly Work[], launcher: Launcher, place: Place, io: Io): void {
  for (const { found, plans } of works) {
    const { adapter, by, version } = found;
    io.out(`${adapter.name}${version === undefined ? "" : ` ${plainText(version)}`} (${plainText(by)})\n`);
    for (const plan of plans) io.out(planLines(plan));
    const { newer } = adapter;
    if (newer !== undefined && plans.some(({ kind }) => kind === "write") && isTooOld(adapter, version))
      io.out(`  Only the oldest hooks: ${newer.why}. \`earshot init\` adds the rest from ${newer.since} on.\n`);
  }
  const state = lookAtLauncher(launcher, place.platform);
  if (state !== "good") io.out(`What they run: ${plainText(launcher.path)} (${state === "missing" ? "new" : "written anew"})\n`);
}

/** Rules that only tighten count as soon as the hub sees them; others wait for an approver, who is shown what they let through. */
function writePolicy(path: string, preset: PresetChoice, io: Io): void {
  writePrivately(path, presetText(preset));
  io.out(`Your rules: ${plainText(path)} (${preset.name}).\n`);
  if (preset.name !== "guard")
    io.out("They let more through than no rules at all, and count once you have accepted them: earshot policy accept\n");
}

function tellWhatFollows(works: readonly Work[], io: Io): void {
  const done = works.filter(({ plans }) => plans.some(({ kind }) => kind === "write"));
  if (done.length === 0) io.out("Everything was there already.\n");
  for (const { found } of done) {
    const { trust, restart } = found.adapter.afterwards;
    for (const next of [restart, trust]) if (next !== undefined) io.out(`${found.adapter.name}: ${next}\n`);
  }
  io.out("`earshot doctor` checks it, `earshot doctor --drill` breaks it on purpose, `earshot remove` undoes it.\n");
}
