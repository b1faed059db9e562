import type { PolicyView } from "@earshot/hub";
import { formatCount } from "@earshot/narrate";
import { command } from "../command.ts";
import { askHub, findHub } from "../hub-client.ts";
import { EXIT, type Io } from "../io.ts";
import { type PolicyFile, readPolicyFile } from "../policy/policy-file.ts";
import { plainText } from "../terminal/plain-text.ts";

export const policyCheck = command(
  {
    name: "policy check",
    positionals: ["[FILE]"],
    about: "Says what is wrong with a file of rules: line, column, and what to do about it. Without FILE it is ~/.earshot/policy.yaml.",
    options: {
      repository: {
        type: "boolean",
        default: false,
        about: "read it as the file of a repository (.earshot/policy.yaml in it), which can only tighten",
      },
      json: { type: "boolean", default: false, about: "print what was found as JSON" },
    },
    notes:
      "The exit code is 1 when there are errors: a hub does not use such a file, and stays with the last good one. Warnings leave it 0.",
  },
  async ({ values, positionals }, io: Io): Promise<number> => {
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

/** What the hub that runs makes of the file: it may have another one in force. */
async function inForce(): Promise<readonly string[]> {
  const hub = await findHub({ ...process.env, EARSHOT_URL: "" });
  if (hub === undefined) return [];
  const { pending, troubles } = (await (await askHub(hub, "/api/policy")).json()) as PolicyView;
  if (troubles.length > 0) return ["The hub that runs does not use the file, and stays with the last good rules."];
  return pending === null ? [] : ["The file lets more through than before, and waits to be accepted: earshot policy accept"];
}
