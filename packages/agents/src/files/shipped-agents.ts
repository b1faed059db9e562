import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { JsonValue } from "@earshot/protocol/json";
import type { AgentAnswers } from "../answers/answers.ts";
import { readAgentAnswers } from "../answers/read-answers.ts";
import type { AgentCard } from "../card/agent-card.ts";
import { readCard } from "../card/read-card.ts";
import type { Mapping } from "../mapping/mapping.ts";
import { readMapping } from "../mapping/read-mapping.ts";
import type { ReadResult } from "../text/read-yaml.ts";

export interface AgentData {
  readonly mapping: Mapping;
  readonly answers: AgentAnswers;
  /** The code that runs inside the agent, for agents with plugins. */
  readonly plugin?: string;
  /** A documented payload for each hook before an action. */
  readonly payloads?: Readonly<Record<string, JsonValue>>;
}

const FOLDER = new URL("../../agents/", import.meta.url);
const cache = new Map<string, AgentData>();
let cards: readonly AgentCard[] | undefined;

/** The shipped agents by slug. The built command contains `compiled-agents.ts` instead of this file. */
export function agentCards(): readonly AgentCard[] {
  cards ??= shippedAgents().map((slug) => {
    const card = readFile(`${slug}/agent.yaml`, readCard);
    if (card.slug !== slug) throw new Error(`${slug}/agent.yaml is about ${card.slug}.`);
    return card;
  });
  return cards;
}

export function shippedAgents(): readonly string[] {
  return readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** Undefined for an agent that does not ship with Earshot. The caller has checked the slug's characters. */
export function readShippedAgent(slug: string): AgentData | undefined {
  const cached = cache.get(slug);
  if (cached !== undefined) return cached;
  try {
    const plugin = new URL(`${slug}/plugin.js`, FOLDER);
    const answers = readFile(`${slug}/answers.yaml`, readAgentAnswers);
    const data = {
      mapping: readFile(`${slug}/mapping.yaml`, readMapping).mapping,
      answers,
      ...(existsSync(plugin) ? { plugin: readFileSync(plugin, "utf8") } : {}),
      payloads: readPayloads(slug, answers),
    };
    cache.set(slug, data);
    return data;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function readPayloads(slug: string, { hooks }: AgentAnswers): NonNullable<AgentData["payloads"]> {
  const samples = JSON.parse(readFileSync(new URL(`${slug}/samples.json`, FOLDER), "utf8")) as Readonly<Record<string, JsonValue>>;
  const gating = hooks.filter(({ moment }) => moment === "before_action").flatMap((answer) => answer.hooks);
  const sampleOf = (hook: string) => Object.entries(samples).find(([name]) => name === hook || name.startsWith(`${hook}--`));
  return Object.fromEntries(
    gating.flatMap(
      (hook) =>
        sampleOf(hook)
          ?.slice(1)
          .map((payload) => [hook, payload]) ?? [],
    ),
  );
}

function readFile<Value>(path: string, read: (text: string) => ReadResult<Value>): Value {
  const url = new URL(path, FOLDER);
  const result = read(readFileSync(url, "utf8"));
  if (result.ok) return result.value;
  throw new Error(result.troubles.map(({ line, column, message }) => `${url.pathname}:${line}:${column} ${message}`).join("\n"));
}
