import type { AskFate, FateChange, TrialResult } from "@earshot/hub";
import { formatCount, formatNumber, formatTime } from "@earshot/narrate";
import type { Explanation, PolicyInput, RuleReference } from "@earshot/policy";
import { plainText } from "@earshot/terminal/plain-text";
import { describeWantedBriefly } from "../inbox/request-lines.ts";
import { visibleBeginning } from "../inbox/visible-text.ts";

const WAS: Readonly<Record<AskFate, string>> = {
  asked: "you were asked",
  passes: "a rule let it pass",
  refused: "a rule refused it",
  left: "no one was asked",
};
const WOULD: Readonly<Record<AskFate, string>> = {
  asked: "You would be asked",
  passes: "It would pass",
  refused: "It would be refused",
  left: "It would be left to the agent",
};
const MAX_RULES = 20;

/** The changes a policy would make, in sentences, most important first. */
export function trialLines(
  trial: TrialResult,
  { file, now, timeZone }: { readonly file: string; readonly now: number; readonly timeZone?: string },
): readonly string[] {
  const { asks, sessions, firstAt, lastAt, changed, moves, rules } = trial;
  if (asks === 0 || firstAt === null || lastAt === null) return ["No recorded action can be decided by a rule."];
  const span = `from ${formatTime(firstAt, now, timeZone)} to ${formatTime(lastAt, now, timeZone)}`;
  return [
    `${formatCount(asks, "action")} of ${formatCount(sessions, "session")} tried with ${plainText(file)}, ${span}.`,
    ...warnings(trial),
    changed === 0 ? "Nothing would be decided differently." : `${formatCount(changed, "action")} would be decided differently:`,
    ...moves.flatMap(moveLines),
    ...(rules.length === 0 ? ["No rule speaks about any of them."] : ["By rule:"]),
    ...rules.slice(0, MAX_RULES).map(({ rule, answer, count }) => `  ${plainText(rule)}: ${answer}, ${formatCount(count, "time")}.`),
    ...(rules.length > MAX_RULES ? [`  And ${rules.length - MAX_RULES} more rules.`] : []),
    "Recorded secrets are masked, and presence is not recorded: rules about these may match less often here.",
  ];
}

function warnings({ passesRefused, refusesAllowed }: TrialResult): readonly string[] {
  return [
    ...(passesRefused === 0 ? [] : [`Careful: ${formatNumber(passesRefused)} that you refused would pass.`]),
    ...(refusesAllowed === 0 ? [] : [`Mind: ${formatNumber(refusesAllowed)} that you allowed would be refused.`]),
  ];
}

function moveLines({ from, to, count, allowed, refused, examples }: FateChange): readonly string[] {
  const answers = from === "asked" ? ` You allowed ${formatNumber(allowed)} of them and refused ${formatNumber(refused)}.` : "";
  return [
    `  ${WOULD[to]}, where ${WAS[from]}: ${formatCount(count, "time")}.${answers}`,
    ...examples.map(
      ({ position, asked, rule }) =>
        `    Position ${position}: ${describeWantedBriefly(asked)}${rule === undefined ? "" : ` (rule ${plainText(rule)})`}`,
    ),
  ];
}

/** The deciding rule and why, then why each earlier rule does not match. */
export function explanationLines({ ruling, steps }: Explanation, asked: PolicyInput): readonly string[] {
  const { behaviour, rule, why, message, hold, unanswered, unreachable, judged } = ruling;
  const waits = behaviour === "ask" || behaviour === "defer";
  const notReached = steps.filter(({ outcome }) => outcome === "not-reached").length;
  return [
    `Asked at the moment ${asked.moment}${asked.tool === undefined ? "" : `, by the tool ${visibleBeginning(asked.tool, 80)}`}${asked.command === undefined ? "" : `: ${visibleBeginning(asked.command, 200)}`}`,
    rule === undefined ? "No rule decides: the agent decides itself." : `The answer is ${behaviour}, by the rule ${placeOf(rule)}.`,
    ...(rule === undefined ? [] : why.slice(1).map((sentence) => visibleBeginning(sentence, 300))),
    ...(message === undefined ? [] : [`It says: ${visibleBeginning(message, 300)}`]),
    ...(waits ? [`It waits: ${hold}. If no one answers: ${unanswered}. If the hub cannot be reached: ${unreachable}.`] : []),
    `Risk: ${judged.risk ?? "not known"}. Can be undone: ${judged.reversible === undefined ? "not known" : judged.reversible ? "yes" : "no"}.${judged.dangers.length === 0 ? "" : ` Dangers: ${judged.dangers.join(", ")}.`}`,
    ...(steps.length === 0 ? ["There are no rules."] : ["Rules in order:"]),
    ...steps
      .filter(({ outcome }) => outcome !== "not-reached")
      .map(
        ({ rule: one, answer, outcome, why: reason }) =>
          `  ${placeOf(one)}, ${answer}: ${outcome === "decides" ? "decides" : "passed over"}. ${visibleBeginning(reason, 300)}`,
      ),
    ...(notReached === 0
      ? []
      : [`  ${formatCount(notReached, "rule comes", "rules come")} after that and ${notReached === 1 ? "is" : "are"} not reached.`]),
  ];
}

function placeOf({ name, file, line }: RuleReference): string {
  return `${visibleBeginning(name, 80)} (${visibleBeginning(file, 120)}, line ${line})`;
}
