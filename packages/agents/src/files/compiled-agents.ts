import { readFileSync } from "node:fs";
import type { AgentCard } from "../card/agent-card.ts";
import type { AgentData } from "./shipped-agents.ts";

/**
 * Replaces `shipped-agents.ts` in the built command and reads the JSON files that the build generates from YAML. A hook that runs without
 * a hub then loads neither the YAML parser nor the readers.
 */
const FOLDER = new URL("./agents/", import.meta.url);
let cards: readonly AgentCard[] | undefined;

export function agentCards(): readonly AgentCard[] {
  cards ??= JSON.parse(readFileSync(new URL("cards.json", FOLDER), "utf8")) as readonly AgentCard[];
  return cards;
}

export function shippedAgents(): readonly string[] {
  return agentCards().map(({ slug }) => slug);
}

export function readShippedAgent(slug: string): AgentData | undefined {
  if (slug === "cards") return undefined;
  try {
    return JSON.parse(readFileSync(new URL(`${slug}.json`, FOLDER), "utf8")) as AgentData;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
