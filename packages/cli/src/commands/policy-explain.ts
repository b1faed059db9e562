import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { findRepositoryFile, readPastAsks, readPayload } from "@earshot/hub";
import { type Asked, compilePolicy, explain, type Policy, readPolicy } from "@earshot/policy";
import { EarshotError } from "@earshot/protocol/problem";
import { ownPlaces } from "../inbox/inspect-request.ts";
import { EXIT, type Io } from "../io.ts";
import { explanationLines } from "../policy/explanation-lines.ts";
import { openHistory } from "../policy/open-history.ts";
import { policyOf, readPolicyFile } from "../policy/policy-file.ts";
import { usage } from "../usage.ts";

export const POLICY_EXPLAIN_HELP = `Usage: earshot policy explain [FILE] < payload.json
       earshot policy explain [FILE] --command TEXT [--cwd FOLDER]
       earshot policy explain [FILE] --position N | --session ID

Says which rule decides something and why, and why each rule before it does not. The rules are those of ~/.earshot/policy.yaml, or
of FILE, with those of the repository that it is about.

  payload.json     an AEP or AAEP event, what a coding agent gives its hook, or {"tool": …, "command": …, "cwd": …}
  --command TEXT   a shell command, run in --cwd
  --position N     what was recorded at this position
  --session ID     the last that this session asked
  --json           print it as JSON
`;

const LONGEST_PAYLOAD = 4 * 1024 * 1024;

export async function policyExplain(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: {
      command: { type: "string" },
      cwd: { type: "string" },
      position: { type: "string" },
      session: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
    allowPositionals: true,
  });
  if (values.help) {
    io.out(POLICY_EXPLAIN_HELP);
    return EXIT.ok;
  }
  const [given, ...rest] = positionals;
  if (rest.length > 0) throw usage("Name one file.", "earshot policy explain FILE");
  const policy = policyOf(readPolicyFile(given));
  const asked = await whatIsAsked(values, io);
  const places = ownPlaces();
  const repository = repositoryAt(asked, places.home);
  const explanation = explain(compilePolicy(policy, { places, ...(repository === undefined ? {} : { repository }) }), asked);
  if (values.json) io.out(`${JSON.stringify({ asked, ...explanation }, null, 2)}\n`);
  else for (const line of explanationLines(explanation, asked)) io.out(`${line}\n`);
  return EXIT.ok;
}

interface Wish {
  readonly command?: string | undefined;
  readonly cwd?: string | undefined;
  readonly position?: string | undefined;
  readonly session?: string | undefined;
}

async function whatIsAsked({ command, cwd, position, session }: Wish, io: Io): Promise<Asked> {
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
  return readPayload(text);
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
