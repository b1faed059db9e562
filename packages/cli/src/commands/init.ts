import { existsSync } from "node:fs";
import { hubHomeOf, prepareHome, writePrivately } from "@earshot/hub/home";
import { PRESET_CHOICES, type PresetChoice, presetText } from "@earshot/policy";
import { nearest } from "@earshot/protocol/nearest";
import { EarshotError } from "@earshot/protocol/problem";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { createUsageError } from "@earshot/terminal/usage";
import { carryOut, planLines } from "../agents/carry-out.ts";
import { type DetectedAgent, detectAgent, detectAgents } from "../agents/detect.ts";
import { TOKEN_VARIABLE } from "../agents/entries.ts";
import { describeGatedReads, doesHoldReads } from "../agents/gated-reads.ts";
import { type Launcher, launcherFor, lookAtLauncher, refreshLauncher } from "../agents/install-launcher.ts";
import { hubUrl, type Installation, installPlaceFor, namedCards, thisInstallation } from "../agents/installation.ts";
import type { InstallPlace } from "../agents/place.ts";
import { type FilePlan, planFile, targetsFor } from "../agents/plan.ts";
import { Record } from "../agents/record.ts";
import { isTooOld } from "../agents/registrations.ts";
import { undoInit } from "../agents/undo-init.ts";
import { command } from "../command.ts";
import { askLine, confirmYes, hasKeyboard } from "../terminal/ask.ts";

/** The work for one agent. */
interface Work {
  readonly found: DetectedAgent;
  readonly plans: readonly FilePlan[];
}

export const initCommand = command(
  {
    name: "init",
    positionals: ["[AGENT…]"],
    about: `Registers Earshot's hook with the coding agents on this machine, which records their actions and can hold them for your decision. It
finds the agents, shows every line that it would write, and asks. It adds to settings and never replaces them, backs up each file, and
skips files that it cannot read. \`earshot init --undo\` restores them.`,
    options: {
      agent: { type: "string", multiple: true, default: [], value: "NAME", about: "only this agent; may be given several times" },
      scope: {
        type: "string",
        choices: ["user", "project"],
        about:
          "user (default): for you. project: for everyone who works on the project in this folder; the hooks do nothing on machines without Earshot",
      },
      preset: {
        type: "string",
        value: "NAME",
        about: "the rules to begin with, if you have none: guard, careful, fewer-prompts or watch-only",
      },
      http: {
        type: "boolean",
        default: false,
        about: "use HTTP for hooks that only report, if the agent supports it; hooks that can block stay commands",
      },
      undo: {
        type: "boolean",
        default: false,
        about:
          "remove the hooks: unchanged files are restored byte for byte; from files changed since, only Earshot's entries are removed. The hub and recorded data stay",
      },
      "dry-run": { type: "boolean", default: false, about: "only show what would be written or removed" },
      yes: { type: "boolean", short: "y", default: false, about: "do not ask" },
    },
    exclusive: [
      ["undo", "preset"],
      ["undo", "http"],
    ],
    examples: ["init --dry-run", "init claude codex", "init --undo"],
  },
  async ({ values, positionals }, io: CommandIo, installation: Installation = thisInstallation()): Promise<number> => {
    const names = [...values.agent, ...positionals];
    if (values.undo) return undoInit({ names, scope: values.scope, isDry: values["dry-run"] }, io, installation);
    const given = installPlaceFor(installation, values.scope ?? "user");
    const preset = values.preset === undefined ? undefined : findPreset(values.preset);
    const record = new Record(given.earshotHome);
    const found = findAgents(names, given);
    if (found.length === 0) {
      io.out("No coding agent was found here. Name one with --agent, and its hooks are written anyway.\n");
      return EXIT.found;
    }
    const httpUrl = values.http ? hubUrl(installation) : undefined;
    const policyPath = hubHomeOf(installation.env).policy;
    const isAsked = hasKeyboard(io) && !values.yes && !values["dry-run"];
    const needsPolicy = !existsSync(policyPath);
    const chosen = needsPolicy ? (preset ?? (isAsked ? await choosePreset(io) : findPreset("guard"))) : undefined;
    if (needsPolicy && chosen === undefined) {
      io.out("Nothing was written.\n");
      return EXIT.found;
    }
    // The rules determine which hooks wait for an answer.
    const place = chosen === undefined ? given : { ...given, holdsReads: doesHoldReads(presetText(chosen)) };
    const works = found.map((one) => ({
      found: one,
      plans: targetsFor(one.card, place, { version: one.version, httpUrl }).map((target) => planFile(target, record)),
    }));
    const launcher = await launcherFor(installation.env, installation.platform);
    tellPlans(works, launcher, place, io);
    const isRefused = works.some(({ plans }) => plans.some(({ kind }) => kind === "refused"));
    const outcome = isRefused ? EXIT.found : EXIT.ok;
    if (values["dry-run"]) {
      if (chosen !== undefined) io.out(`Rules would be written to ${plainText(policyPath)}: ${chosen.name}\n`);
      io.out("Nothing was written.\n");
      return outcome;
    }
    if (isAsked && !(await confirmYes(io, "Write this?"))) {
      io.out("Nothing was written.\n");
      return EXIT.found;
    }
    prepareHome(hubHomeOf(installation.env));
    // The launcher contains the rules' answer for unreadable payloads.
    if (chosen !== undefined) writePolicy(policyPath, chosen, io);
    await refreshLauncher(installation.env, installation.platform, { installs: true });
    for (const { plans } of works) {
      for (const plan of plans) {
        if (plan.kind !== "write") continue;
        const http = httpUrl !== undefined && plan.after.includes(`${httpUrl}/hooks/`);
        carryOut(plan, place, record, { now: installation.now(), http });
      }
    }
    if (chosen === undefined && preset !== undefined)
      io.out(`Your rules in ${plainText(policyPath)} stay as they are; ${preset.name} was not written.\n`);
    const isProven = installation.provesGate !== true || (await proveGates(works, installation, io));
    tellWhatFollows(works, io);
    if (values.http)
      io.out(
        `Over HTTP, start the agents with ${TOKEN_VARIABLE} set to what ${plainText(hubHomeOf(installation.env).producerToken)} holds.\n`,
      );
    return isProven ? outcome : EXIT.found;
  },
);

/**
 * Sends a harmless call through each registered hook line that can deny, in a copy of Earshot's folder whose rules deny everything. Says
 * what an agent would have been told, and returns whether every call was denied.
 */
async function proveGates(works: readonly Work[], installation: Installation, io: CommandIo): Promise<boolean> {
  if (installation.platform === "win32") return true; // the drill needs a POSIX shell
  const { describeRun, drill, registeredLines } = await import("../agents/drill.ts");
  const lines = registeredLines(
    installation,
    works.map(({ found }) => found.card),
  );
  let isProven = true;
  try {
    for await (const { line, refuses, run } of drill(lines, installation, { onlyUp: true })) {
      isProven &&= refuses;
      io.out(
        refuses
          ? `${line.card.name}: a test call through ${line.hook} was denied. The gate holds.\n`
          : `${line.card.name}: a test call through ${line.hook} was NOT denied: ${plainText(describeRun(run))}. See \`earshot doctor\`.\n`,
      );
    }
  } catch (error) {
    io.out(`The gate could not be tested: ${plainText(error instanceof Error ? error.message : String(error))}\n`);
    return false;
  }
  return isProven;
}

function findAgents(names: readonly string[], place: InstallPlace): readonly DetectedAgent[] {
  if (names.length === 0) return detectAgents(place).filter(({ card }) => card[place.scope] !== undefined);
  return namedCards(names).map((card) => {
    if (card[place.scope] === undefined) {
      const other = place.scope === "user" ? "project" : "user";
      throw createUsageError(`${card.name} has no hooks of this kind.`, `earshot init --agent ${card.slug} --scope ${other}`);
    }
    return detectAgent(card, place) ?? { card, by: "named" };
  });
}

function tellPlans(works: readonly Work[], launcher: Launcher, place: InstallPlace, io: CommandIo): void {
  for (const { found, plans } of works) {
    const { card, by, version } = found;
    io.out(`${card.name}${version === undefined ? "" : ` ${plainText(version)}`} (${plainText(by)})\n`);
    for (const plan of plans) io.out(planLines(plan));
    const reads = place.holdsReads === true ? describeGatedReads(card) : undefined;
    if (reads !== undefined) io.out(`  ${reads}\n`);
    const { newer } = card;
    if (newer !== undefined && plans.some(({ kind }) => kind === "write") && isTooOld(card, version))
      io.out(`  Only the oldest hooks: ${newer.why}. \`earshot init\` adds the rest from ${newer.since} on.\n`);
  }
  const state = lookAtLauncher(launcher, place.platform);
  if (state !== "good") io.out(`What they run: ${plainText(launcher.path)} (${state === "missing" ? "new" : "written anew"})\n`);
}

/** Tightening rules take effect when the hub sees them; others wait for an approver, who is shown what they permit. */
function writePolicy(path: string, preset: PresetChoice, io: CommandIo): void {
  writePrivately(path, presetText(preset));
  io.out(`Your rules: ${plainText(path)} (${preset.name}).\n`);
  if (preset.name !== "guard")
    io.out("They let more through than no rules at all, and count once you have accepted them: earshot policy accept\n");
}

function tellWhatFollows(works: readonly Work[], io: CommandIo): void {
  const done = works.filter(({ plans }) => plans.some(({ kind }) => kind === "write"));
  if (done.length === 0) io.out("Everything was there already.\n");
  for (const { found } of done) {
    const { trust, restart } = found.card.afterwards;
    for (const next of [restart, trust]) if (next !== undefined) io.out(`${found.card.name}: ${next}\n`);
  }
  io.out("To undo it: earshot init --undo. `earshot doctor` checks it; `earshot doctor --drill` also tests it while the hub is down.\n");
}

function findPreset(name: string): PresetChoice {
  const found = PRESET_CHOICES.find((preset, index) => preset.name === name || String(index + 1) === name);
  if (found !== undefined) return found;
  const names = PRESET_CHOICES.map((preset) => preset.name);
  const [near] = nearest(name, names);
  throw new EarshotError({
    code: "WRONG_USAGE",
    message: `There is no preset ${JSON.stringify(name)}.`,
    hint: near === undefined ? `There are ${names.join(", ")}.` : `Did you mean ${near}?`,
  });
}

/** Asks a person by number; undefined if they give up. Without a person the first preset is used. */
async function choosePreset(io: CommandIo): Promise<PresetChoice | undefined> {
  const [first] = PRESET_CHOICES;
  if (!hasKeyboard(io)) return first;
  io.err("What should be asked about? You can change it at any time.\n");
  for (const [index, { name, does }] of PRESET_CHOICES.entries()) io.err(`  ${index + 1}  ${name}: ${does}\n`);
  for (;;) {
    const said = await askLine(io, "Number [1]: ");
    if (said === undefined) return undefined;
    if (said.trim() === "") return first;
    const chosen = PRESET_CHOICES[Number(said) - 1];
    if (chosen !== undefined) return chosen;
    io.err(`1 to ${PRESET_CHOICES.length}, please.\n`);
  }
}
