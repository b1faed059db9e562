import type { KeyObject } from "node:crypto";
import { AAEP, EarshotError } from "@earshot/protocol";
import type { LiveReport, ScenarioReport } from "../live-report.ts";
import type { Patience } from "../patience.ts";
import type { Peer } from "../peer/peer.ts";
import { RULES_OF_SUBSCRIBERS } from "../rules-of-subscribers.ts";
import type { Situations } from "../situations.ts";
import { outcomeOf, thinned, toLiveReport } from "../to-live-report.ts";
import { LEVEL_1 } from "./level-1.ts";
import { LEVEL_2 } from "./level-2.ts";
import { LEVEL_3 } from "./level-3.ts";
import { Memory } from "./memory.ts";
import type { Scenario } from "./scenario.ts";
import { type Shown, Stage } from "./stage.ts";

export interface ProducerCheck {
  readonly peer: Peer;
  readonly level: 1 | 2 | 3;
  readonly situations: Situations;
  readonly patience: Patience;
  readonly strict: boolean;
  /** Whether a scenario that could not be shown counts against the result. */
  readonly requiresAll: boolean;
  readonly manifestKey?: KeyObject | undefined;
  /** Told before each scenario. */
  readonly onScenario?: (scenario: Scenario, index: number, of: number) => void;
}

export const PRODUCER_SCENARIOS: readonly Scenario[] = [...LEVEL_1, ...LEVEL_2, ...LEVEL_3];

/** Drives a producer through the scenarios of a level, one after the other. */
export async function checkProducer(check: ProducerCheck): Promise<LiveReport> {
  const { peer, level, situations, patience, strict, requiresAll, manifestKey } = check;
  const began = performance.now();
  const memory = new Memory();
  const scenarios: ScenarioReport[] = [];
  let events = 0;
  const asked = PRODUCER_SCENARIOS.filter((scenario) => scenario.level <= level);
  for (const [index, scenario] of asked.entries()) {
    check.onScenario?.(scenario, index, asked.length);
    const stage = new Stage({ peer, level, situations, patience, manifestKey, memory });
    const shown = await perform(scenario, stage);
    const judged = await stage.finish();
    const findings = thinned(judged.findings.filter((finding) => !RULES_OF_SUBSCRIBERS.has(finding.rule)));
    const reason = shown?.notShown;
    events += judged.events;
    scenarios.push({
      name: scenario.name,
      title: scenario.title,
      level: scenario.level,
      outcome: outcomeOf(findings, reason, strict),
      reason,
      findings,
      shown: judged.shown.filter((id) => !RULES_OF_SUBSCRIBERS.has(id)),
    });
  }
  return toLiveReport({
    role: "producer",
    peer: peer.name,
    transport: peer.transport,
    level,
    strict,
    requiresAll,
    scenarios,
    events,
    durationMs: performance.now() - began,
    asked: Object.entries(AAEP.rules)
      .filter(([id, rule]) => rule.level <= level && !RULES_OF_SUBSCRIBERS.has(id))
      .map(([id]) => id),
  });
}

/** A producer that goes away in the middle has not shown the rest. That it is nowhere from the beginning is for the caller. */
async function perform(scenario: Scenario, stage: Stage): Promise<Shown> {
  try {
    return await scenario.run(stage);
  } catch (error) {
    if (!EarshotError.is(error) || error.problem.code !== "PEER_UNREACHABLE") throw error;
    return { notShown: error.problem.message };
  }
}
