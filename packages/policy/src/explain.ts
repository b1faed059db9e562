import type { PolicyInput } from "./asked.ts";
import { ANSWERS_AT } from "./behaviour.ts";
import { type CompiledPolicy, type CompiledRule, matchRule, type RuleMismatch } from "./compile-policy.ts";
import { toReference, toRuling } from "./decide.ts";
import { findFacts, type RequestFacts } from "./facts.ts";
import { momentsOf } from "./moments.ts";
import type { PolicyRule } from "./policy.ts";
import type { ExplainedRule, Explanation } from "./ruling.ts";
import { printCommand } from "./shell/shell-command.ts";

/** The same decision as `decide`, with the outcome of every rule. */
export function explainDecision(policy: CompiledPolicy, asked: PolicyInput): Explanation {
  const facts = findFacts(asked, policy.places);
  const steps: ExplainedRule[] = [];
  const deciding: PolicyRule[] = [];
  for (const layer of policy.layers) {
    let decided = false;
    for (const compiled of layer.rules) {
      const { rule } = compiled;
      const step = { rule: toReference(rule), answer: rule.answer };
      const why = decided ? "An earlier rule had decided." : mismatch(compiled, facts);
      if (why !== undefined) steps.push({ ...step, outcome: decided ? "not-reached" : "passed-over", why });
      else {
        steps.push({ ...step, outcome: "decides", why: whyDecides(compiled, facts) });
        deciding.push(rule);
        decided = true;
      }
    }
  }
  return { ruling: toRuling(deciding, facts), steps };
}

function mismatch(compiled: CompiledRule, facts: RequestFacts): string | undefined {
  const { rule } = compiled;
  const { moment } = facts.asked;
  if (!ANSWERS_AT[moment].includes(rule.answer)) return `\`${rule.answer}\` has no place at the moment ${moment}.`;
  if (!momentsOf(rule).includes(moment)) return `It is about other moments than ${moment}.`;
  const missing = matchRule(compiled, facts);
  return missing === undefined ? undefined : describeMismatch(missing, compiled, facts);
}

function whyDecides({ permissive, rule }: CompiledRule, { parts }: RequestFacts): string {
  if (Object.keys(rule.match).length === 0) return "It matches everything.";
  return permissive && parts.length > 1 ? "It matches every part." : "It matches.";
}

function describeMismatch(missing: RuleMismatch, { permissive, rule }: CompiledRule, facts: RequestFacts): string {
  const { asked, judged, dangers } = facts;
  switch (missing) {
    case "except":
      return "It says itself that this is an exception.";
    case "uninspectable":
      return `A rule that says ${rule.answer} does not match a command that cannot be inspected. ${judged.uninspectable ?? ""}`.trim();
    case "unnamed-danger":
      return `A rule that allows must name what does harm: \`danger: [${dangers.map(({ id }) => id).join(", ")}]\`.`;
    case "unnamed-risk":
      return "A rule that allows must name a high risk: `risk: high`.";
    case "command":
    case "path":
    case "access":
    case "danger":
    case "cwd":
      return describePart(missing, permissive, facts);
    case "risk":
      return judged.risk === undefined ? "Its risk is not known." : `Its risk is ${judged.risk}.`;
    case "reversible":
      return judged.reversible === undefined ? "May not be reversible." : `\`reversible\` is ${judged.reversible}.`;
    case "inspectable":
      return facts.reading === undefined ? "It is no shell command." : `\`inspectable\` is ${facts.inspectable}.`;
    case "harmless":
      return facts.harmless() ? "It is known to do no harm." : "It is not known to do no harm.";
    default:
      return asked[missing] === undefined ? `\`${missing}\` is not known.` : `\`${missing}\` is ${JSON.stringify(asked[missing])}.`;
  }
}

function describePart(missing: "command" | "path" | "access" | "danger" | "cwd", permissive: boolean, { parts }: RequestFacts): string {
  const [only, ...others] = parts.flatMap(({ command }) => (command === undefined ? [] : [printCommand(command)]));
  if (only === undefined) return missing === "command" ? "It is no shell command." : `\`${missing}\` does not fit.`;
  if (others.length === 0) return `\`${missing}\` does not fit \`${only.length > 80 ? `${only.slice(0, 80)}…` : only}\`.`;
  return permissive ? `\`${missing}\` does not fit every command, and all must.` : `\`${missing}\` does not fit any of the commands.`;
}
