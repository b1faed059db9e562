import { parseArgs } from "node:util";
import type { PolicyView } from "@earshot/hub";
import { askHub, findHub } from "../hub-client.ts";
import { EXIT, type Io } from "../io.ts";
import { readPolicyFile } from "../policy/policy-file.ts";
import { plainText } from "../terminal/plain-text.ts";
import { usage } from "../usage.ts";

export const POLICY_SHOW_HELP = `Usage: earshot policy show [--json]

Prints the rules in force, as the hub that runs has them; without one, those of ~/.earshot/policy.yaml. Says whether the file has
errors, or lets more through than before and waits to be accepted.

  --json   print as JSON
`;

export async function policyShow(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { json: { type: "boolean", default: false }, help: { type: "boolean", short: "h", default: false } },
    allowPositionals: true,
  });
  if (values.help) {
    io.out(POLICY_SHOW_HELP);
    return EXIT.ok;
  }
  if (positionals.length > 0) throw usage("show takes nothing.", "earshot policy show");
  const hub = await findHub({ ...process.env, EARSHOT_URL: "" });
  const view = hub === undefined ? fromFile() : ((await (await askHub(hub, "/api/policy")).json()) as PolicyView);
  if (values.json) {
    io.out(`${JSON.stringify({ running: hub !== undefined, ...view }, null, 2)}\n`);
    return EXIT.ok;
  }
  const { text, path, pending, troubles, repositories, pendingRepositories } = view;
  io.err(`${hub === undefined ? "No hub runs, which would say what is in force. The file" : "In force, from"} ${plainText(path)}:\n`);
  if (text === null) io.out("No rules: everything is left to the agents.\n");
  else for (const line of text.trimEnd().split("\n")) io.out(`${plainText(line)}\n`);
  for (const trouble of troubles) io.err(`The file is not used: ${plainText(trouble)}\n`);
  for (const one of repositories) {
    io.err(`And in force for what is done there, from ${plainText(one.path)}:\n`);
    for (const line of one.text.trimEnd().split("\n")) io.out(`${plainText(line)}\n`);
  }
  for (const one of [...(pending === null ? [] : [path]), ...pendingRepositories.map((other) => other.path)])
    io.err(`${plainText(one)} was changed since and lets more through. It waits to be accepted: earshot policy accept\n`);
  return EXIT.ok;
}

/** Without a hub nobody can tell what was accepted of it. */
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
  };
}
