import type { Asked } from "@earshot/hub";
import type { Inspection } from "@earshot/hub/inspection";
import { wishOf } from "@earshot/sdk/ear";
import { agentInProject } from "./agent-in-project.ts";
import { inspectRequest } from "./inspect-request.ts";
import { visibleBeginning } from "./visible-text.ts";

const LONGEST_QUOTED = 200;
const SHORT = 120;

/** The request in one sentence, made from the real input: `Claude Code in shop wants to run git push`. The agent's own words are quoted. */
export function whatItWants(asked: Asked, { commands }: Inspection = inspectRequest(asked)): string {
  const { joined, what } = wishOf(asked, { show: visibleBeginning, commands });
  return `${agentInProject(asked)} ${joined} ${what}`;
}

/** The same, short enough to stand before a piece of news about it. */
export function whatItWantsInShort(asked: Asked, inspection?: Inspection): string {
  const whole = whatItWants(asked, inspection);
  return whole.length <= SHORT ? whole : `${[...whole].slice(0, SHORT - 1).join("")}…`;
}

/** What an agent says, so that nobody takes it for ours. */
export function quoted(text: string): string {
  return `“${visibleBeginning(text, LONGEST_QUOTED)}”`;
}
