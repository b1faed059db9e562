import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { findRepositoryFile, isNo, isYes, readPastAsks, readPayload, TrialCounter, type TrialResult } from "@earshot/hub";
import { formatCount } from "@earshot/narrate";
import { type AnsweredAsk, compilePolicy, explainDecision, type Policy, type PolicyInput, readPolicy, suggestRules } from "@earshot/policy";
import { EarshotError } from "@earshot/protocol/problem";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { createUsageError } from "@earshot/terminal/usage";
import { command } from "../command.ts";
import { ownPlaces } from "../inbox/inspect-request.ts";
import { describeWantedBriefly } from "../inbox/request-lines.ts";
import { gateReservations } from "../policy/gate-reservations.ts";
import { openHubHistory, readSince, slowProgress } from "../policy/open-history.ts";
import { policyOf, readPolicyFile } from "../policy/policy-file.ts";
import { explanationLines, trialLines } from "../policy/trial-lines.ts";

export const policyTryCommand = command(
  {
    name: "policy try",
    positionals: ["[FILE]"],
    about: `Runs rules over recorded actions and shows the differences: what would now be asked, allowed or denied, with examples, and first the
cases that you had decided differently. It changes nothing and needs no running hub.`,
    options: {
      since: { type: "string", value: "TIME", about: "only actions since then: 30d, 12h, or a date such as 2026-05-01" },
      session: { type: "string", value: "ID", about: "only this session" },
      json: { type: "boolean", default: false, about: "print it as JSON" },
    },
    notes: `Without FILE it tries the current ~/.earshot/policy.yaml, accepted or not. The exit code is 1 if the rules would allow something that
you denied.`,
  },
  async ({ values, positionals }, io: CommandIo): Promise<number> => {
    const [given] = positionals;
    const file = readPolicyFile(given);
    const counter = new TrialCounter(compilePolicy(policyOf(file), { places: ownPlaces() }));
    const { since, session } = values;
    await using history = await openHubHistory();
    const past = readPastAsks(history, {
      onProgress: slowProgress(io, "Trying"),
      ...(since === undefined ? {} : { since: readSince(since, Date.now()) }),
      ...(session === undefined ? {} : { session }),
    });
    for await (const ask of past) counter.count(ask);
    const trial = counter.result();
    if (values.json) io.out(`${JSON.stringify(withWords(trial), null, 2)}\n`);
    else for (const line of trialLines(trial, { file: basename(file.path), now: Date.now() })) io.out(`${line}\n`);
    if (!values.json) for (const line of await gateReservations(undefined)) io.out(`${plainText(line)}\n`);
    return trial.passesRefused === 0 ? EXIT.ok : EXIT.found;
  },
);

/** Each example as a sentence instead of the whole action. */
function withWords({ moves, ...trial }: TrialResult): object {
  const told = moves.map(({ examples, ...move }) => ({
    ...move,
    examples: examples.map(({ asked, ...example }) => ({ ...example, what: describeWantedBriefly(asked) })),
  }));
  return { ...trial, moves: told };
}

export const policySuggestCommand = command(
  {
    name: "policy suggest",
    positionals: [],
    about: `Proposes rules for requests that you always answered the same way. It writes and applies none: copy those that you want into
~/.earshot/policy.yaml, below "rules:". It proposes no rule for dangerous commands or commands that cannot be inspected.`,
    options: {
      since: { type: "string", value: "TIME", about: "only answers since then: 30d, 12h, or a date such as 2026-05-01" },
      "at-least": { type: "string", default: "3", value: "N", about: "how many equal answers make a rule (default 3)" },
      json: { type: "boolean", default: false, about: "print them as JSON" },
    },
  },
  async ({ values }, io: CommandIo): Promise<number> => {
    if (!/^[1-9]\d{0,3}$/.test(values["at-least"])) throw createUsageError("--at-least takes a number from 1 on.", "--at-least 3");
    await using history = await openHubHistory();
    const since = values.since === undefined ? {} : { since: readSince(values.since, Date.now()) };
    const answered: AnsweredAsk[] = [];
    for await (const { asked, past } of readPastAsks(history, { ...since, onProgress: slowProgress(io, "Reading") })) {
      const last = asked.at(-1);
      if (last === undefined || past.how !== "person" || (!isYes(past.word) && !isNo(past.word))) continue;
      answered.push({ asked: last, answer: isYes(past.word) ? "allow" : "deny" });
    }
    const suggestions = suggestRules(answered, { atLeast: Number(values["at-least"]), places: ownPlaces() });
    if (values.json) {
      io.out(`${JSON.stringify({ answers: answered.length, suggestions }, null, 2)}\n`);
      return EXIT.ok;
    }
    io.err(`${formatCount(answered.length, "answer")} of yours, ${formatCount(suggestions.length, "rule")} proposed. None is applied.\n`);
    for (const { yaml, answers, examples } of suggestions) {
      io.out(`# ${formatCount(answers, "equal answer")}, such as: ${examples.map(plainText).join("; ")}\n`);
      io.out(`${yaml.split("\n").map(plainText).join("\n").trimEnd()}\n`);
    }
    return EXIT.ok;
  },
);

const LONGEST_PAYLOAD = 4 * 1024 * 1024;

export const policyExplainCommand = command(
  {
    name: "policy explain",
    positionals: ["[FILE]"],
    usage: ["[FILE] < payload.json"],
    about: `Explains which rule decides an action, and why each earlier rule does not match. It uses ~/.earshot/policy.yaml or FILE, and the
rules of the repository in which the action runs.

  payload.json     an AEP or AAEP event, what a coding agent gives its hook, or {"tool": …, "command": …, "cwd": …}`,
    options: {
      agent: { type: "string", value: "NAME", about: "the agent, if the payload does not name it" },
      command: { type: "string", value: "TEXT", about: "a shell command, run in --cwd" },
      cwd: { type: "string", value: "FOLDER", about: "with --command: where it would run" },
      position: { type: "string", value: "N", about: "explain the entry at this position" },
      session: { type: "string", value: "ID", about: "explain the latest request of this session" },
      json: { type: "boolean", default: false, about: "print it as JSON" },
    },
  },
  async ({ values, positionals }, io: CommandIo): Promise<number> => {
    const [given] = positionals;
    const policy = policyOf(readPolicyFile(given));
    const asked = await whatIsAsked(values, io);
    const places = ownPlaces();
    const repository = repositoryAt(asked, places.home);
    const explanation = explainDecision(compilePolicy(policy, { places, ...(repository === undefined ? {} : { repository }) }), asked);
    if (values.json) io.out(`${JSON.stringify({ asked, ...explanation }, null, 2)}\n`);
    else for (const line of explanationLines(explanation, asked)) io.out(`${line}\n`);
    // A rule's answer does not tell whether the hooks can enforce it.
    if (!values.json && asked.agent !== undefined) for (const line of await gateReservations(asked.agent)) io.out(`${plainText(line)}\n`);
    return EXIT.ok;
  },
);

interface Wish {
  readonly agent?: string | undefined;
  readonly command?: string | undefined;
  readonly cwd?: string | undefined;
  readonly position?: string | undefined;
  readonly session?: string | undefined;
}

async function whatIsAsked({ agent, command, cwd, position, session }: Wish, io: CommandIo): Promise<PolicyInput> {
  if ([command, position, session].filter((one) => one !== undefined).length > 1)
    throw createUsageError("--command, --position and --session exclude each other.", "Give one of them.");
  if (command !== undefined) return { moment: "action", tool: "Bash", command, cwd: cwd ?? process.cwd() };
  if (position !== undefined || session !== undefined) return recorded(position, session);
  if ((io.stdin as { readonly isTTY?: boolean }).isTTY === true)
    throw createUsageError("There is nothing to explain.", "Pipe a payload in, or give --command, --position or --session.");
  let text = "";
  for await (const chunk of io.stdin as AsyncIterable<Buffer | string>) {
    text += chunk.toString();
    if (text.length > LONGEST_PAYLOAD) throw createUsageError("The payload is too long.", "It may have 4 MB.");
  }
  return readPayload(text, agent);
}

async function recorded(position: string | undefined, session: string | undefined): Promise<PolicyInput> {
  if (position !== undefined && !/^[1-9]\d{0,14}$/.test(position))
    throw createUsageError(`--position cannot be ${JSON.stringify(position)}.`, "Give a number.");
  await using history = await openHubHistory();
  let found: PolicyInput | undefined;
  for await (const ask of readPastAsks(history, session === undefined ? {} : { session })) {
    if (position !== undefined && ask.position !== Number(position)) continue;
    found = ask.asked.at(-1);
    if (position !== undefined) break;
  }
  if (found === undefined) throw new EarshotError({ code: "NOT_FOUND", message: "No recorded action there can be decided by a rule." });
  return found;
}

/** The rules of the action's repository, found like the hub finds them. */
function repositoryAt({ cwd }: PolicyInput, home: string | undefined): Policy | undefined {
  const path = cwd === undefined ? undefined : findRepositoryFile(cwd, home);
  if (path === undefined) return undefined;
  const reading = readPolicy({ text: readFileSync(path, "utf8"), file: path, kind: "repository" });
  return reading.ok ? reading.policy : undefined;
}
