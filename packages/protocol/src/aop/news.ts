import type { Finding } from "../finding.ts";
import { isFirstTime, type ToldOnce } from "../teller.ts";
import { AOP_RULES, type AopRuleId } from "./rules.ts";

const ALIAS_USED = "aop/alias-used" satisfies AopRuleId;

/** Whether a session has not been told this before, where once is enough; remembers it. */
export function isNews(finding: Finding, told: ToldOnce): boolean {
  if (finding.rule !== ALIAS_USED) return isFirstTime(AOP_RULES, finding, told);
  // Once per spelling: each has a documented name of its own. Their messages are few and no rule's id.
  if (told[finding.message] === true) return false;
  told[finding.message] = true;
  return true;
}
