import { readFileSync } from "node:fs";
import { createAttackingAgent, SELF_APPROVAL_ATTEMPTS } from "../../packages/hub/src/access/testing/agent-attempts.ts";
import type { Victim, VictimQuestion } from "../../packages/hub/src/access/testing/victim.ts";

interface Order {
  readonly user: number;
  readonly group: number;
  readonly attempt: string;
  readonly victim: Pick<Victim, "url" | "home" | "repository">;
  readonly question: VictimQuestion;
}

/** Drops root and tries one attack. A forbidden file ends the attempt, as it would for an agent. */
const { user, group, attempt, victim, question } = JSON.parse(readFileSync(0, "utf8")) as Order;
process.setgroups?.([group]);
process.setgid?.(group);
process.setuid?.(user);
const agent = createAttackingAgent(victim as Victim);
try {
  await SELF_APPROVAL_ATTEMPTS[attempt]?.(agent, question, victim as Victim);
} catch (error) {
  process.stderr.write(`${String(error)}\n`);
}
process.stdout.write(JSON.stringify(agent.heard));
