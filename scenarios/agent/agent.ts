import { readFileSync } from "node:fs";
import { ATTEMPTS, createAgent } from "../../packages/hub/src/access/testing/agent-attempts.ts";
import type { Question, Victim } from "../../packages/hub/src/access/testing/victim.ts";

interface Order {
  readonly user: number;
  readonly group: number;
  readonly attempt: string;
  readonly victim: Pick<Victim, "url" | "home" | "repository">;
  readonly question: Question;
}

/** Drops root and tries one attack. A forbidden file ends the attempt, as it would for an agent. */
const { user, group, attempt, victim, question } = JSON.parse(readFileSync(0, "utf8")) as Order;
process.setgroups?.([group]);
process.setgid?.(group);
process.setuid?.(user);
const agent = createAgent(victim as Victim);
try {
  await ATTEMPTS[attempt]?.(agent, question, victim as Victim);
} catch (error) {
  process.stderr.write(`${String(error)}\n`);
}
process.stdout.write(JSON.stringify(agent.heard));
