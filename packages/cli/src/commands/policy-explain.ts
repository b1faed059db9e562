import { readFileSync } from "node:fs";
import { findRepositoryFile, readPastAsks, readPayload } from "@earshot/hub";
import { type Asked, compilePolicy, explain, type Policy, readPolicy } from "@earshot/policy";
import { EarshotError } from "@earshot/protocol/problem";
import { command } from "../command.ts";
import { ownPlaces } from "../inbox/inspect-request.ts";
import { EXIT, type Io } from "../io.ts";
import { gateReservations } from "../policy/gate-reservations.ts";
import { openHistory } from "../policy/open-history.ts";
import { policyOf, readPolicyFile } from "../policy/policy-file.ts";
import { explanationLines } from "../policy/trial-lines.ts";
import { plainText } from "../terminal/plain-text.ts";
import { usage } from "../usage.ts";

const LONGEST_PAYLOAD = 4 * 1024 * 1024;

export const policyExplain = command(
  {
    name: "policy explain",
    positionals: ["[FILE]"],
    usage: ["[FILE] < payload.json"],
    about: `Says which rule decides something and why, and why each rule before it does not. The rules are those of ~/.earshot/policy.yaml, or
of FILE, with those of the repository that it is about.

  payload.json     an AEP or AAEP event, what a coding agent gives its hook, or {"tool": …, "command": …, "cwd": …}`,
    options: {
      agent: { type: "string", value: "NAME", about: "the agent whose hook it is, where the payload does not show it" },
      command: { type: "string", value: "TEXT", about: "a shell command, run in --cwd" },
      cwd: { type: "string", value: "FOLDER", about: "with --command: where it would run" },
      position: { type: "string", value: "N", about: "what was recorded at this position" },
      session: { type: "string", value: "ID", about: "the last that this session asked" },
      json: { type: "boolean", default: false, about: "print it as JSON" },
    },
  },
  async ({ values, positionals }, io: Io): Promise<number> => {
    const [given] = positionals;
    const policy = policyOf(readPolicyFile(given));
    const asked = await whatIsAsked(values, io);
    const places = ownPlaces();
    const repository = repositoryAt(asked, places.home);
    const explanation = explain(compilePolicy(policy, { places, ...(repository === undefined ? {} : { repository }) }), asked);
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

async function whatIsAsked({ agent, command, cwd, position, session }: Wish, io: Io): Promise<Asked> {
  if ([command, position, session].filter((one) => one !== undefined).length > 1)
    throw usage("--command, --position and --session exclude each other.", "Give one of them.");
  if (command !== undefined) return { moment: "action", tool: "Bash", command, cwd: cwd ?? process.cwd() };
  if (position !== undefined || session !== undefined) return recorded(position, session);
  if ((io.stdin as { readonly isTTY?: boolean }).isTTY === true)
    throw usage("There is nothing to explain.", "Pipe a payload in, or give --command, --position or --session.");
  let text = "";
  for await (const chunk of io.stdin as AsyncIterable<Buffer | string>) {
    text += chunk.toString();
    if (text.length > LONGEST_PAYLOAD) throw usage("The payload is too long.", "It may have 4 MB.");
  }
  return readPayload(text, agent);
}

async function recorded(position: string | undefined, session: string | undefined): Promise<Asked> {
  if (position !== undefined && !/^[1-9]\d{0,14}$/.test(position))
    throw usage(`--position cannot be ${JSON.stringify(position)}.`, "Give a number.");
  using history = openHistory();
  let found: Asked | undefined;
  for await (const ask of readPastAsks(history, session === undefined ? {} : { session })) {
    if (position !== undefined && ask.position !== Number(position)) continue;
    found = ask.asked.at(-1);
    if (position !== undefined) break;
  }
  if (found === undefined)
    throw new EarshotError({ code: "NOT_FOUND", message: "Nothing that a rule could speak about is recorded there." });
  return found;
}

/** The rules of the repository that it would happen in, as the hub finds them. */
function repositoryAt({ cwd }: Asked, home: string | undefined): Policy | undefined {
  const path = cwd === undefined ? undefined : findRepositoryFile(cwd, home);
  if (path === undefined) return undefined;
  const reading = readPolicy({ text: readFileSync(path, "utf8"), file: path, kind: "repository" });
  return reading.ok ? reading.policy : undefined;
}
