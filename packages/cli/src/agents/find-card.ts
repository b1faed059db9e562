import { type AgentCard, toSlug } from "@earshot/agents";
import { agentCards } from "@earshot/agents/files";

/** An agent card by any of the agent's names. */
export function findCard(name: string): AgentCard | undefined {
  const slug = toSlug(name);
  return agentCards().find((card) => card.slug === slug);
}
