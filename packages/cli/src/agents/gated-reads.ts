import type { AgentCard } from "@earshot/agents";
import { agentCards } from "@earshot/agents/files";
import { hubHomeOf } from "@earshot/hub/home";
import { acceptedRules, holdsReads } from "@earshot/hub/hook";
import { readPolicy } from "@earshot/policy";
import { readPolicyAt } from "../policy/policy-file.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the rules in force, or those in the file, may restrict tools that only read. */
export function areReadsHeld(env: Environment): boolean {
  const home = hubHomeOf(env);
  return [acceptedRules(home), readPolicyAt(home.policy)].some((policy) => policy !== undefined && holdsReads(policy, readingTools()));
}

/** As `areReadsHeld`, for rules about to be written. */
export function doesHoldReads(text: string): boolean {
  const reading = readPolicy({ text, file: "policy.yaml", kind: "user" });
  return reading.ok && holdsReads(reading.policy, readingTools());
}

function readingTools(): readonly string[] {
  return agentCards().flatMap((card) => card.tools.harmless);
}

/** A card whose hooks also gate tools that only read. */
export function gatingReads(card: AgentCard): AgentCard {
  const { harmlessHooks: _hooks, ...tools } = card.tools;
  return { ...card, tools: { ...tools, harmless: [] } };
}

/** Names the tools that become gated; undefined if there are none. */
export function describeGatedReads({ tools, hooks }: AgentCard): string | undefined {
  const names = [...tools.harmless, ...(tools.harmlessHooks ?? []).filter((hook) => hooks.includes(hook))];
  return names.length === 0 ? undefined : `Your rules may restrict reading, so these are also gated: ${names.join(", ")}.`;
}
