import type { Finding } from "../finding.ts";
import { isFirstTime, type ToldOnce } from "../told-once.ts";
import { AOP_RULES, type AopRuleId } from "./rules.ts";

const ALIAS_USED = "aop/alias-used" satisfies AopRuleId;

/** Whether this finding is new for the session, for rules reported once. Records it. */
export function isNewForSession(finding: Finding, told: ToldOnce): boolean {
  if (finding.rule !== ALIAS_USED) return isFirstTime(AOP_RULES, finding, told);
  // Once per spelling: each has its own documented name. The messages are few, and none equals a rule id.
  if (told[finding.message] === true) return false;
  told[finding.message] = true;
  return true;
}
