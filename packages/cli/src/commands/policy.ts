import type { PolicyView } from "@earshot/hub";
import { formatCount } from "@earshot/narrate";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { command } from "../command.ts";
import { changeAtHub, findHub, requestFromHub } from "../hub-client.ts";
import { requireKeyboard, unlockTerminal } from "../inbox/approver.ts";
import { visibleBeginning } from "../inbox/visible-text.ts";
import { openOwnHub } from "../own-hub.ts";
import { type PolicyFile, readPolicyFile } from "../policy/policy-file.ts";
import { textDifference } from "../policy/text-difference.ts";
import { askLine } from "../terminal/ask.ts";
import { setControl } from "./control.ts";

export const policyCheckCommand = command(
  {
    name: "policy check",
    positionals: ["[FILE]"],
    about: "Lists the errors in a policy file: line, column, and how to fix them. Without FILE it checks ~/.earshot/policy.yaml.",
    options: {
      repository: {
        type: "boolean",
        default: false,
        about: "check it as a repository's .earshot/policy.yaml, which can only tighten rules",
      },
      json: { type: "boolean", default: false, about: "print what was found as JSON" },
    },
    notes: "The exit code is 1 if there are errors: a hub ignores such a file and keeps the last accepted one. Warnings do not change it.",
  },
  async ({ values, positionals }, io: CommandIo): Promise<number> => {
    const [given] = positionals;
    const file = readPolicyFile(given, values.repository ? "repository" : "user");
    const { reading, path } = file;
    const rules = reading.ok ? reading.policy.rules.length : null;
    if (values.json) io.out(`${JSON.stringify({ path, ok: reading.ok, rules, troubles: reading.troubles }, null, 2)}\n`);
    else for (const line of [...describe(file), ...(given === undefined ? await inForce() : [])]) io.out(`${line}\n`);
    return reading.ok ? EXIT.ok : EXIT.found;
  },
);

function describe({ path, text, reading }: PolicyFile): readonly string[] {
  if (text === null) return [`There is no ${plainText(path)}: no rule decides anything, and everything is left to the agents.`];
  const { troubles } = reading;
  const lines = troubles.flatMap(({ file, line, column, severity, message, hint }) => [
    `${plainText(file)}, line ${line}, column ${column}: ${severity}. ${plainText(message)}`,
    `  To do: ${plainText(hint)}`,
  ]);
  const errors = troubles.filter(({ severity }) => severity === "error").length;
  const end = reading.ok
    ? `${plainText(path)}: ${formatCount(reading.policy.rules.length, "rule")}, no errors${troubles.length === 0 ? "" : `, ${formatCount(troubles.length, "warning")}`}.`
    : `${plainText(path)}: ${formatCount(errors, "error")}. It is not used until they are gone.`;
  return [...lines, end];
}

/** The running hub's view of the file; it may have other rules in force. */
async function inForce(): Promise<readonly string[]> {
  const hub = await findHub({ ...process.env, EARSHOT_URL: "" });
  if (hub === undefined) return [];
  const { pending, troubles } = (await (await requestFromHub(hub, "/api/policy")).json()) as PolicyView;
  if (troubles.length > 0) return ["The hub that runs does not use the file, and stays with the last good rules."];
  return pending === null ? [] : ["The file lets more through than before, and waits to be accepted: earshot policy accept"];
}

export const policyShowCommand = command(
  {
    name: "policy show",
    positionals: [],
    about: `Prints the rules in force in the running hub, or without a hub the rules of ~/.earshot/policy.yaml. Says whether the file has errors,
or allows more than before and waits to be accepted.`,
    options: {
      json: { type: "boolean", default: false, about: "print as JSON" },
    },
  },
  async ({ values }, io: CommandIo): Promise<number> => {
    const hub = await findHub({ ...process.env, EARSHOT_URL: "" });
    const view = hub === undefined ? fromFile() : ((await (await requestFromHub(hub, "/api/policy")).json()) as PolicyView);
    if (values.json) {
      io.out(`${JSON.stringify({ running: hub !== undefined, ...view }, null, 2)}\n`);
      return EXIT.ok;
    }
    const { text, path, pending, troubles, repositories, pendingRepositories, pendingAgents } = view;
    io.err(`${hub === undefined ? "No hub is running, so this may not be in force. The file" : "In force, from"} ${plainText(path)}:\n`);
    if (text === null) io.out("No rules: agents decide everything themselves.\n");
    else for (const line of text.trimEnd().split("\n")) io.out(`${plainText(line)}\n`);
    for (const trouble of troubles) io.err(`The file is not used: ${plainText(trouble)}\n`);
    for (const one of repositories) {
      io.err(`And in force for what is done there, from ${plainText(one.path)}:\n`);
      for (const line of one.text.trimEnd().split("\n")) io.out(`${plainText(line)}\n`);
    }
    for (const one of [...(pending === null ? [] : [path]), ...pendingRepositories.map((other) => other.path)])
      io.err(`${plainText(one)} was changed since and lets more through. It waits to be accepted: earshot policy accept\n`);
    for (const { agent, path: folder } of pendingAgents)
      io.err(
        `${plainText(folder)} would change how events of ${plainText(agent)} are read and answered. To accept it: earshot policy accept\n`,
      );
    return EXIT.ok;
  },
);

/** Without a hub it is unknown what was accepted. */
function fromFile(): Omit<PolicyView, "hash"> {
  const { path, text, reading } = readPolicyFile(undefined);
  const errors = reading.troubles.filter(({ severity }) => severity === "error");
  return {
    path,
    text,
    troubles: errors.map(({ line, message }) => `line ${line}: ${message}`),
    pending: null,
    repositories: [],
    pendingRepositories: [],
    pendingAgents: [],
  };
}

export const policyAcceptCommand = command(
  {
    name: "policy accept",
    positionals: [],
    about: `A changed policy file that allows more than before takes effect only after an approver accepts it. The same holds for a repository's
file that was in force, and for your own agent files that replace Earshot's. This command shows what each file newly allows and every line that differs, and accepts exactly that text, with your PIN. What
only tightens takes effect at once.

It needs a person at a terminal; no option replaces the PIN. The exit code is 1 if nothing was accepted.`,
    options: {},
  },
  async (_, io: CommandIo): Promise<number> => {
    requireKeyboard(io);
    const hub = await openOwnHub(process.env);
    const view = (await (await requestFromHub(hub, "/api/policy")).json()) as PolicyView;
    for (const trouble of view.troubles) io.err(`The file is not used: ${visibleBeginning(trouble, 400)}\n`);
    const changes = changesIn(view);
    if (changes.length === 0) io.out("Nothing waits to be accepted.\n");
    const wanted: Change[] = [];
    for (const change of changes) if (await isWanted(change, io)) wanted.push(change);
    if (wanted.length === 0) return EXIT.found;
    await using approver = await unlockTerminal(io, hub);
    if (approver === undefined) return EXIT.found;
    const access = await approver.access(hub);
    for (const { hash } of wanted) await changeAtHub<PolicyView>(access, "POST", "/api/policy/accept", { hash });
    io.out(`Accepted: ${formatCount(wanted.length, "change")}. What was shown is in force.\n`);
    return EXIT.ok;
  },
);

/** A file that permits more. */
interface Change {
  readonly path: string;
  /** The text in force and its replacement; null if there is no file. */
  readonly before: string | null;
  readonly after: string | null;
  readonly hash: string;
  readonly loosens: readonly string[];
  /** The text before `loosens`. */
  readonly what: string;
}

function changesIn({ path, text, pending, repositories, pendingRepositories, pendingAgents }: PolicyView): readonly Change[] {
  const own =
    pending === null
      ? []
      : [{ path, before: text, after: pending.text, hash: pending.hash, loosens: pending.loosens, what: whatOf(pending.text) }];
  const others = pendingRepositories.map((one) => ({
    path: one.path,
    before: repositories.find((known) => known.path === one.path)?.text ?? null,
    after: one.text,
    hash: one.hash,
    loosens: one.loosens,
    what: whatOf(one.text),
  }));
  const agents = pendingAgents.map(({ agent, path: folder, text: after, hash, changes }) => ({
    path: folder,
    before: null,
    after,
    hash,
    loosens: changes,
    what: `would take the place of what Earshot knows about ${agent}: how it is heard, and what its answers mean`,
  }));
  return [...own, ...others, ...agents];
}

function whatOf(after: string | null): string {
  return `${after === null ? "is gone. Without it" : "was changed, and"} more would be let through than by the rules in force`;
}

async function isWanted({ path, before, after, loosens, what }: Change, io: CommandIo): Promise<boolean> {
  io.out(`${plainText(path)} ${plainText(what)}:\n`);
  for (const one of loosens) io.out(`  ${visibleBeginning(one, 600)}\n`);
  io.out("The lines that differ; - goes, + comes:\n");
  for (const line of textDifference(before ?? "", after ?? "")) io.out(`  ${line}\n`);
  const meant = await askLine(io, "Type yes to accept this: ");
  if (/^yes$/i.test(meant?.trim() ?? "")) return true;
  io.out("Cancelled; nothing was accepted.\n");
  return false;
}

export const policyForgetCommand = command(
  {
    name: "policy forget",
    positionals: ["RULE"],
    about: `Removes a rule that was added with an answer ("allow this kind from now on"), whether it is in the policy file or kept by the hub for a
session or a project. Run earshot away to list the active ones.`,
    options: {
      json: { type: "boolean", default: false, about: "print the settings as JSON" },
    },
    notes: "It asks for your PIN. To remove rules that you wrote yourself, edit ~/.earshot/policy.yaml.",
  },
  async ({ values, positionals }, io: CommandIo): Promise<number> => {
    const [rule = ""] = positionals;
    return setControl("/api/policy/forget", { rule }, io, { json: values.json, done: `Forgotten: ${plainText(rule)}.` });
  },
);
