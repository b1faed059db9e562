import type { AgentCard } from "@earshot/agents";
import { findCard } from "../find-card.ts";

export function cardOf(slug: string): AgentCard {
  const card = findCard(slug);
  if (card === undefined) throw new Error(`There is no agent ${slug}.`);
  return card;
}
