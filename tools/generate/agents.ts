import { readdirSync, readFileSync } from "node:fs";
import { coverageOf, coverageTables } from "@earshot/agents/coverage";
import { type Read, readAnswers, readMapping } from "@earshot/agents/read";

const FOLDER = "packages/agents/agents";

/** packages/agents/compiled: each agent's files as plain data, so that a hook need not parse YAML. And docs/agents.md. */
export function agentFiles(): [string, string][] {
  const agents = readdirSync(FOLDER).map((slug) => ({
    slug,
    mapping: read(`${FOLDER}/${slug}/mapping.yaml`, readMapping).mapping,
    answers: read(`${FOLDER}/${slug}/answers.yaml`, readAnswers),
  }));
  const tables = coverageTables(agents.map(({ mapping, answers }) => coverageOf(mapping, answers)));
  const compiled = agents.map(({ slug, ...data }): [string, string] => [
    `packages/agents/compiled/${slug}.json`,
    `${JSON.stringify(data)}\n`,
  ]);
  return [...compiled, ["docs/agents.md", `${INTRODUCTION}\n${tables}\n`]];
}

const INTRODUCTION = readFileSync(new URL("./agents-introduction.md", import.meta.url), "utf8");

function read<Value>(path: string, reader: (text: string) => Read<Value>): Value {
  const result = reader(readFileSync(path, "utf8"));
  if (result.ok) return result.value;
  throw new Error(result.troubles.map(({ line, column, message }) => `${path}:${line}:${column} ${message}`).join("\n"));
}
