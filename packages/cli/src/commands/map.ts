import { join } from "node:path";
import { type MappedPayload, mapPayload, recogniseSender } from "@earshot/agents";
import { type AgentCoverage, coverageOf, coverageTables } from "@earshot/agents/coverage";
import { AgentFiles, createEventId, type LoadedAgent, shippedAgents } from "@earshot/agents/files";
import type { LocatedProblem } from "@earshot/agents/read";
import { hubHomeOf } from "@earshot/hub/home";
import { isObject, JSON_LIMITS, type JsonValue, readJson } from "@earshot/protocol/json";
import { nearest } from "@earshot/protocol/nearest";
import { EarshotError } from "@earshot/protocol/problem";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { command } from "../command.ts";

export const mapCommand = command(
  {
    name: "map",
    positionals: ["[AGENT…]"],
    usage: ["AGENT < payload.json", "--coverage [AGENT…]"],
    about: `Reads what a coding agent handed to its hook and prints the AEP events it means, one JSON object a line. For a hook without
an event it prints nothing, exits with 0, and gives the reason on standard error.`,
    options: {
      hook: { type: "string", value: "NAME", about: "the hook, for agents whose payloads do not name it" },
      coverage: {
        type: "boolean",
        default: false,
        about: "print Markdown tables of what each agent supplies at each hook, and which answers it accepts",
      },
      json: { type: "boolean", default: false, about: "print the coverage as JSON" },
    },
    notes: "Your own mapping files override Earshot's: agents/AGENT/mapping.yaml and answers.yaml in ~/.earshot.",
  },
  async ({ values, positionals }, io: CommandIo, env: NodeJS.ProcessEnv = process.env): Promise<number> => {
    const files = new AgentFiles({
      folder: join(hubHomeOf(env).folder, "agents"),
      onTrouble: (path, troubles) => tellTroubles(io, path, troubles),
    });
    if (values.coverage) {
      const names = positionals.length === 0 ? shippedAgents() : positionals;
      const covered: AgentCoverage[] = [];
      for (const name of names) {
        const { mapping, answers } = await findAgent(files, name);
        covered.push(coverageOf(mapping.mapping, answers.answers));
      }
      io.out(values.json ? `${JSON.stringify(covered, null, 2)}\n` : `${coverageTables(covered)}\n`);
      return EXIT.ok;
    }
    const [name, more] = positionals;
    if (name === undefined || more !== undefined) throw usage("Name one agent.", "earshot map claude < payload.json");
    const agent = await findAgent(files, name);
    const payload = await readPayload(io);
    const mapped = mapPayload(agent.mapping, payload, { hook: values.hook, now: Date.now(), ids: createEventId, env });
    for (const { event } of mapped.events) io.out(`${JSON.stringify(event)}\n`);
    tellAbout(mapped, payload, agent, io);
    return EXIT.ok;
  },
);

async function findAgent(files: AgentFiles, name: string): Promise<LoadedAgent> {
  const agent = await files.agent(name);
  if (agent !== undefined) return agent;
  const known = shippedAgents();
  const near = nearest(name, known);
  throw usage(
    `There is no agent ${JSON.stringify(name)}.`,
    near.length === 0 ? `Known: ${known.join(", ")}.` : `Did you mean ${near.join(", ")}?`,
  );
}

async function readPayload({ stdin }: CommandIo): Promise<JsonValue> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin as AsyncIterable<Buffer | string>) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > JSON_LIMITS.maxCharacters) throw new EarshotError({ code: "TOO_LARGE", message: "The payload is too large." });
    chunks.push(bytes);
  }
  const reading = readJson(
    Buffer.concat(chunks)
      .toString("utf8")
      .replace(/^\uFEFF/, ""),
  );
  if (!reading.ok) throw new EarshotError(reading.problem);
  return reading.value;
}

/** Notes about the mapping, beside the events. */
function tellAbout({ nothing, warnings }: MappedPayload, payload: JsonValue, agent: LoadedAgent, io: CommandIo): void {
  if (nothing !== undefined) io.err(`earshot: ${plainText(nothing.message)}\n`);
  for (const { entry, field, message } of warnings) io.err(`earshot: ${plainText(`${field}: ${message} (${entry})`)}\n`);
  const sender = isObject(payload) ? recogniseSender(payload, { registered: agent.slug }) : undefined;
  if (sender?.by === "payload" && sender.slug !== agent.slug) io.err(`earshot: this looks like a payload of ${sender.slug}.\n`);
}

function tellTroubles(io: CommandIo, path: string, troubles: readonly LocatedProblem[]): void {
  for (const { line, column, severity, message, hint } of troubles) {
    io.err(`${plainText(`${path}:${line}:${column} ${severity}: ${message} ${hint}`)}\n`);
  }
}

function usage(message: string, hint: string): EarshotError {
  return new EarshotError({ code: "WRONG_USAGE", message, hint });
}
