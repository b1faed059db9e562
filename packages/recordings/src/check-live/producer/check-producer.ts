import type { KeyObject } from "node:crypto";
import { AAEP, EarshotError } from "@earshot/protocol";
import {
  isRuleOfSubscribers,
  type LiveReport,
  type ScenarioReport,
  scenarioOutcomeOf,
  toLiveReport,
  withoutRepetitions,
} from "../live-report.ts";
import type { DrivenPeer } from "../peer/peer.ts";
import type { DrivePatience, Situations } from "../situations.ts";
import { DriveMemory } from "./drive-memory.ts";
import { LEVEL_1, LEVEL_2, LEVEL_3 } from "./levels.ts";
import { ProducerStage, type ScenarioResult } from "./producer-stage.ts";
import type { Scenario } from "./scenario.ts";

export interface ProducerCheck {
  readonly peer: DrivenPeer;
  readonly level: 1 | 2 | 3;
  readonly situations: Situations;
  readonly patience: DrivePatience;
  readonly strict: boolean;
  /** Whether an unshown scenario counts against the result. */
  readonly requiresAll: boolean;
  readonly manifestKey?: KeyObject | undefined;
  /** Called before each scenario. */
  readonly onScenario?: (scenario: Scenario, index: number, of: number) => void;
}

export const PRODUCER_SCENARIOS: readonly Scenario[] = [...LEVEL_1, ...LEVEL_2, ...LEVEL_3];

/** Drives a producer through the scenarios of a level in order. */
export async function checkProducer(check: ProducerCheck): Promise<LiveReport> {
  const { peer, level, situations, patience, strict, requiresAll, manifestKey } = check;
  const began = performance.now();
  const memory = new DriveMemory();
  const scenarios: ScenarioReport[] = [];
  let events = 0;
  const asked = PRODUCER_SCENARIOS.filter((scenario) => scenario.level <= level);
  for (const [index, scenario] of asked.entries()) {
    check.onScenario?.(scenario, index, asked.length);
    const stage = new ProducerStage({ peer, level, situations, patience, manifestKey, memory });
    const shown = await perform(scenario, stage);
    const judged = await stage.finish();
    const findings = withoutRepetitions(judged.findings.filter((finding) => !isRuleOfSubscribers(finding.rule)));
    const reason = shown?.notShown;
    events += judged.events;
    scenarios.push({
      name: scenario.name,
      title: scenario.title,
      level: scenario.level,
      outcome: scenarioOutcomeOf(findings, reason, strict),
      reason,
      findings,
      shown: judged.shown.filter((id) => !isRuleOfSubscribers(id)),
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
      .filter(([id, rule]) => rule.level <= level && !isRuleOfSubscribers(id))
      .map(([id]) => id),
  });
}

/** If a producer goes away midway, the rest is not shown. The caller handles one that never answered. */
async function perform(scenario: Scenario, stage: ProducerStage): Promise<ScenarioResult> {
  try {
    return await scenario.run(stage);
  } catch (error) {
    if (!EarshotError.is(error) || error.problem.code !== "PEER_UNREACHABLE") throw error;
    return { notShown: error.problem.message };
  }
}
