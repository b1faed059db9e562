import type { PolicyRisk } from "../behaviour.ts";
import definitions from "./dangers.json" with { type: "json" };

/** A harmful effect. Its id is part of the policy language and is never reused for something else. */
export interface Danger {
  readonly id: string;
  /** Describes the effect to the approver. */
  readonly sentence: string;
  readonly risk: PolicyRisk;
  readonly reversible: boolean;
  /** A command or a tool name that has the effect. */
  readonly example: string;
}

type Definition = readonly [sentence: string, risk: PolicyRisk, reversible: boolean, example: string];

/** Every harmful effect, in display order. */
export const DANGERS = Object.entries(definitions as unknown as Readonly<Record<string, Definition>>).map(
  ([id, [sentence, risk, reversible, example]]): Danger => ({ id, sentence, risk, reversible, example }),
);
