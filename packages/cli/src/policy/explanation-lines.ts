import type { Asked, Explanation, RuleReference } from "@earshot/policy";
import { visibleBeginning } from "../inbox/visible-text.ts";
import { countInWords } from "../keeping/quantities.ts";

/** Which rule decides and why, then why each one before it does not. */
export function explanationLines({ ruling, steps }: Explanation, asked: Asked): readonly string[] {
  const { behaviour, rule, why, message, hold, unanswered, unreachable, judged } = ruling;
  const waits = behaviour === "ask" || behaviour === "defer";
  const notReached = steps.filter(({ outcome }) => outcome === "not-reached").length;
  return [
    `Asked at the moment ${asked.moment}${asked.tool === undefined ? "" : `, by the tool ${visibleBeginning(asked.tool, 80)}`}${asked.command === undefined ? "" : `: ${visibleBeginning(asked.command, 200)}`}`,
    rule === undefined ? "No rule decides: it is left to the agent." : `The answer is ${behaviour}, by the rule ${placeOf(rule)}.`,
    ...(rule === undefined ? [] : why.slice(1).map((sentence) => visibleBeginning(sentence, 300))),
    ...(message === undefined ? [] : [`It says: ${visibleBeginning(message, 300)}`]),
    ...(waits ? [`It waits: ${hold}. When nobody answers: ${unanswered}. When the hub cannot be reached: ${unreachable}.`] : []),
    `Risk: ${judged.risk ?? "not known"}. Can be undone: ${judged.reversible === undefined ? "not known" : judged.reversible ? "yes" : "no"}.${judged.dangers.length === 0 ? "" : ` Dangers: ${judged.dangers.join(", ")}.`}`,
    ...(steps.length === 0 ? ["There are no rules."] : ["Rules, in their order:"]),
    ...steps
      .filter(({ outcome }) => outcome !== "not-reached")
      .map(
        ({ rule: one, answer, outcome, why: reason }) =>
          `  ${placeOf(one)}, ${answer}: ${outcome === "decides" ? "decides" : "passed over"}. ${visibleBeginning(reason, 300)}`,
      ),
    ...(notReached === 0
      ? []
      : [`  ${countInWords(notReached, "rule comes", "rules come")} after that and ${notReached === 1 ? "is" : "are"} not reached.`]),
  ];
}

function placeOf({ name, file, line }: RuleReference): string {
  return `${visibleBeginning(name, 80)} (${visibleBeginning(file, 120)}, line ${line})`;
}
