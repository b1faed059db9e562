import type { Asked } from "./asked.ts";
import { ANSWERS_AT } from "./behaviour.ts";
import type { CompiledPolicy, CompiledRule } from "./compile-policy.ts";
import { toReference, toRuling } from "./decide.ts";
import { type Facts, findFacts } from "./facts.ts";
import { type Mismatch, matchRule } from "./match-rule.ts";
import { momentsOf } from "./moments.ts";
import type { PolicyRule } from "./policy.ts";
import type { ExplainedRule, Explanation } from "./ruling.ts";
import { printCommand } from "./shell/shell-command.ts";

/** The same decision as `decide`, with a word on every rule. */
export function explain(policy: CompiledPolicy, asked: Asked): Explanation {
  const facts = findFacts(asked, policy.places);
  const steps: ExplainedRule[] = [];
  const deciding: PolicyRule[] = [];
  for (const layer of policy.layers) {
    let decided = false;
    for (const compiled of layer.rules) {
      const { rule } = compiled;
      const step = { rule: toReference(rule), answer: rule.answer };
      if (decided) {
        steps.push({ ...step, outcome: "not-reached", why: "An earlier rule had decided." });
        continue;
      }
      const why = mismatch(compiled, facts);
      steps.push({ ...step, outcome: why === undefined ? "decides" : "passed-over", why: why ?? decides(compiled, facts) });
      if (why !== undefined) continue;
      decided = true;
      deciding.push(rule);
    }
  }
  return { ruling: toRuling(deciding, facts), steps };
}

function mismatch(compiled: CompiledRule, facts: Facts): string | undefined {
  const { rule } = compiled;
  const { moment } = facts.asked;
  if (!ANSWERS_AT[moment].includes(rule.answer)) return `\`${rule.answer}\` has no place at the moment ${moment}.`;
  if (!momentsOf(rule).includes(moment)) return `It is about other moments than ${moment}.`;
  const missing = matchRule(compiled, facts);
  return missing === undefined ? undefined : tell(missing, compiled, facts);
}

function decides({ permissive, rule }: CompiledRule, { parts }: Facts): string {
  if (Object.keys(rule.match).length === 0) return "It matches everything.";
  return permissive && parts.length > 1 ? "It matches every part." : "It matches.";
}

function tell(missing: Mismatch, { permissive, rule }: CompiledRule, facts: Facts): string {
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
      return tellPart(missing, permissive, facts);
    case "risk":
      return judged.risk === undefined ? "Its risk is not known." : `Its risk is ${judged.risk}.`;
    case "reversible":
      return judged.reversible === undefined ? "Whether it can be undone is not known." : `\`reversible\` is ${judged.reversible}.`;
    case "inspectable":
      return facts.reading === undefined ? "It is no shell command." : `\`inspectable\` is ${facts.inspectable}.`;
    case "harmless":
      return facts.harmless() ? "It is known to do no harm." : "It is not known to do no harm.";
    default: {
      const value = asked[missing];
      return value === undefined ? `\`${missing}\` is not known.` : `\`${missing}\` is ${JSON.stringify(value)}.`;
    }
  }
}

function tellPart(missing: "command" | "path" | "access" | "danger" | "cwd", permissive: boolean, { parts }: Facts): string {
  const commands = parts.flatMap(({ command }) => (command === undefined ? [] : [brief(printCommand(command))]));
  if (commands.length === 0) return missing === "command" ? "It is no shell command." : `\`${missing}\` does not fit.`;
  const which = commands.length === 1 ? (commands[0] ?? "") : permissive ? "one of the commands" : "any of the commands";
  if (commands.length === 1) return `\`${missing}\` does not fit \`${which}\`.`;
  return permissive ? `\`${missing}\` does not fit every command, and all must.` : `\`${missing}\` does not fit ${which}.`;
}

function brief(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
