import { type AgentCard, toSlug } from "@earshot/agents";
import { agentCards } from "@earshot/agents/files";

/** A coding agent that hooks can be registered with, by any of its names. */
export function findCard(name: string): AgentCard | undefined {
  const slug = toSlug(name);
  return agentCards().find((card) => card.slug === slug);
}
