import type { Situation } from "../situations.ts";
import { type ProducerStage, type ScenarioResult, notShown as unshown } from "./producer-stage.ts";

/** A behavior to provoke in a producer, and what to observe. */
export interface Scenario {
  readonly name: string;
  readonly level: 1 | 2 | 3;
  /** The property that the scenario shows, in a sentence. */
  readonly title: string;
  readonly run: (stage: ProducerStage) => Promise<ScenarioResult>;
}

export const NO_LINE = "The producer takes neither a stream without a handshake nor the handshake.";
export const NO_PAIR = "Over this transport each connection starts its own agent, so two connections cannot be compared.";

export function didNotStart(situation: Situation): ScenarioResult {
  return unshown(
    `Nothing began when "${situation}" was asked for. Say how to bring this producer to it in a file, and name that with --scenarios.`,
  );
}

export function didNotAsk(situation: Situation): ScenarioResult {
  return unshown(`The producer asked nothing in the situation "${situation}".`);
}
