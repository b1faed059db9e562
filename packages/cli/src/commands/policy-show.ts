import type { PolicyView } from "@earshot/hub";
import { command } from "../command.ts";
import { askHub, findHub } from "../hub-client.ts";
import { EXIT, type Io } from "../io.ts";
import { readPolicyFile } from "../policy/policy-file.ts";
import { plainText } from "../terminal/plain-text.ts";

export const policyShow = command(
  {
    name: "policy show",
    positionals: [],
    about: `Prints the rules in force, as the hub that runs has them; without one, those of ~/.earshot/policy.yaml. Says whether the file has
errors, or lets more through than before and waits to be accepted.`,
    options: {
      json: { type: "boolean", default: false, about: "print as JSON" },
    },
  },
  async ({ values }, io: Io): Promise<number> => {
    const hub = await findHub({ ...process.env, EARSHOT_URL: "" });
    const view = hub === undefined ? fromFile() : ((await (await askHub(hub, "/api/policy")).json()) as PolicyView);
    if (values.json) {
      io.out(`${JSON.stringify({ running: hub !== undefined, ...view }, null, 2)}\n`);
      return EXIT.ok;
    }
    const { text, path, pending, troubles, repositories, pendingRepositories, pendingAgents } = view;
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
    for (const { agent, path: folder } of pendingAgents)
      io.err(
        `${plainText(folder)} would change how ${plainText(agent)} is heard and answered. It waits to be accepted: earshot policy accept\n`,
      );
    return EXIT.ok;
  },
);

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
    pendingAgents: [],
  };
}
