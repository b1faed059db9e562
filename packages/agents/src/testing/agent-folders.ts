import { readFileSync } from "node:fs";
import { AEP, type AepEvent, readJson } from "@earshot/protocol";
import type { JsonValue } from "@earshot/protocol/json";
import { type AgentAnswers, type CompiledAnswers, compileAnswers } from "../answers/answers.ts";
import { readAgentAnswers } from "../answers/read-answers.ts";
import { shippedAgents } from "../files/shipped-agents.ts";
import { type CompiledMapping, compileMapping } from "../mapping/compile-mapping.ts";
import { type MappedPayload, mapPayload } from "../mapping/map-payload.ts";
import { type MappingFile, readMapping } from "../mapping/read-mapping.ts";
import type { ReadResult } from "../text/read-yaml.ts";

interface AgentFolder {
  readonly slug: string;
  readonly file: MappingFile;
  readonly mapping: CompiledMapping;
  readonly answers: AgentAnswers;
  readonly renderer: CompiledAnswers;
  readonly samples: readonly AgentSample[];
}

export interface AgentSample {
  /** The hook, optionally followed by `--` and a variant: `PreToolUse--mcp`. */
  readonly name: string;
  readonly hook: string;
  readonly payload: JsonValue;
}

const FOLDER = new URL("../../agents/", import.meta.url);

export const AGENT_FOLDERS: readonly AgentFolder[] = shippedAgents().map((slug) => {
  const file = whole(readMapping(text(`${slug}/mapping.yaml`)), slug);
  const answers = whole(readAgentAnswers(text(`${slug}/answers.yaml`)), slug);
  const payloads = JSON.parse(text(`${slug}/samples.json`)) as Readonly<Record<string, JsonValue>>;
  const samples = Object.entries(payloads).map(([name, payload]) => ({ name, hook: name.replace(/--.*$/, ""), payload }));
  return { slug, file, mapping: compileMapping(file.mapping), answers, renderer: compileAnswers(answers), samples };
});

export function agentFolderOf(slug: string): AgentFolder {
  const found = AGENT_FOLDERS.find((folder) => folder.slug === slug);
  if (found === undefined) throw new Error(`There is no folder ${slug}.`);
  return found;
}

/** Maps with a fixed clock and sequential ids. */
export function mapAt(mapping: CompiledMapping, payload: JsonValue, hook?: string): MappedPayload {
  let count = 0;
  return mapPayload(mapping, payload, { hook, now: Date.UTC(2026, 8, 1), ids: () => `evt_${++count}` });
}

/** The validation errors of an event, each with its path. */
export function errorsIn(event: AepEvent): readonly string[] {
  const reading = readJson(JSON.stringify(event));
  if (!reading.ok) return [reading.problem.message];
  const { findings } = AEP.read(reading.value as Parameters<typeof AEP.read>[0], reading.facts);
  return findings.filter(({ rule }) => AEP.rules[rule]?.severity === "error").map(({ rule, pointer }) => `${rule} at ${pointer}`);
}

function text(path: string): string {
  return readFileSync(new URL(path, FOLDER), "utf8");
}

function whole<Value>(read: ReadResult<Value>, slug: string): Value {
  if (read.ok && read.warnings.length === 0) return read.value;
  throw new Error(`${slug}: ${JSON.stringify(read.ok ? read.warnings : read.troubles)}`);
}
