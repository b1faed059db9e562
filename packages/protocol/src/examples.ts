import { AAEP_EXAMPLES } from "./aaep/examples.ts";
import { AEP_EXAMPLES } from "./aep/examples.ts";
import { AOP_EXAMPLES } from "./aop/examples.ts";
import type { RuleExamples } from "./rule.ts";

/** A passing and a failing example for every rule. An entry of its own, so that an agent that only speaks does not carry them. */
export const EXAMPLES: Readonly<Record<string, RuleExamples>> = { ...AAEP_EXAMPLES, ...AEP_EXAMPLES, ...AOP_EXAMPLES };
