import type { Fate, Move, Trial } from "@earshot/hub";
import { whenInWords } from "../inbox/time-words.ts";
import { whatItWantsInShort } from "../inbox/what-it-wants.ts";
import { countInWords } from "../keeping/quantities.ts";
import { plainText } from "../terminal/plain-text.ts";

const WAS: Readonly<Record<Fate, string>> = {
  asked: "you were asked",
  passes: "a rule let it pass",
  refused: "a rule refused it",
  left: "nobody here was asked",
};
const WOULD: Readonly<Record<Fate, string>> = {
  asked: "You would be asked",
  passes: "It would pass",
  refused: "It would be refused",
  left: "It would be left to the agent",
};
const MOST_RULES = 20;

/** What a policy would change, in sentences: what matters most comes first. */
export function trialLines(
  trial: Trial,
  { file, now, timeZone }: { readonly file: string; readonly now: number; readonly timeZone?: string },
): readonly string[] {
  const { asks, sessions, firstAt, lastAt, changed, moves, rules } = trial;
  if (asks === 0 || firstAt === null || lastAt === null) return ["Nothing that a rule could speak about is recorded."];
  const span = `from ${whenInWords(firstAt, now, timeZone)} to ${whenInWords(lastAt, now, timeZone)}`;
  return [
    `${countInWords(asks, "ask")} of ${countInWords(sessions, "session")} tried with ${plainText(file)}, ${span}.`,
    ...warnings(trial),
    changed === 0 ? "Nothing would go another way." : `${countInWords(changed, "ask")} would go another way:`,
    ...moves.flatMap(moveLines),
    ...(rules.length === 0 ? ["No rule speaks about any of them."] : ["By rule:"]),
    ...rules.slice(0, MOST_RULES).map(({ rule, answer, count }) => `  ${plainText(rule)}: ${answer}, ${countInWords(count, "time")}.`),
    ...(rules.length > MOST_RULES ? [`  And ${rules.length - MOST_RULES} more rules.`] : []),
    "Secrets are masked in what is recorded, and whether somebody was there is not: rules about these may match less here.",
  ];
}

function warnings({ passesRefused, refusesAllowed }: Trial): readonly string[] {
  return [
    ...(passesRefused === 0 ? [] : [`Careful: ${passesRefused.toLocaleString("en")} that you refused would pass.`]),
    ...(refusesAllowed === 0 ? [] : [`Mind: ${refusesAllowed.toLocaleString("en")} that you allowed would be refused.`]),
  ];
}

function moveLines({ from, to, count, allowed, refused, examples }: Move): readonly string[] {
  const answers =
    from === "asked" ? ` You allowed ${allowed.toLocaleString("en")} of them and refused ${refused.toLocaleString("en")}.` : "";
  return [
    `  ${WOULD[to]}, where ${WAS[from]}: ${countInWords(count, "time")}.${answers}`,
    ...examples.map(
      ({ position, asked, rule }) =>
        `    Position ${position}: ${whatItWantsInShort(asked)}${rule === undefined ? "" : ` (rule ${plainText(rule)})`}`,
    ),
  ];
}
