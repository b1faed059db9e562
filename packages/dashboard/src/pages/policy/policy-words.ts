import type { AskFate, PastOutcome, RuleView } from "@earshot/hub";

/** A rule's answer as a verb, with a color for how much it allows. */
export const ANSWER_VERBS: Readonly<Record<RuleView["answer"], { readonly words: string; readonly tone: string }>> = {
  allow: { words: "Allows", tone: "good" },
  continue: { words: "Continues", tone: "good" },
  ask: { words: "Asks", tone: "warn" },
  defer: { words: "Defers", tone: "warn" },
  deny: { words: "Denies", tone: "bad" },
  block: { words: "Holds back", tone: "bad" },
  stop: { words: "Stops", tone: "bad" },
  abstain: { words: "Leaves it to the agent", tone: "calm" },
};

/** Names of the possible results, as row headings. */
export const FATE_NAMES: Readonly<Record<AskFate, string>> = {
  asked: "You are asked",
  passes: "A rule lets it pass",
  refused: "A rule refuses it",
  left: "Left to the agent",
};

const WAS: Readonly<Record<AskFate, string>> = {
  asked: "you are asked now",
  passes: "it passes now",
  refused: "it is refused now",
  left: "it is left to the agent now",
};
const WOULD: Readonly<Record<AskFate, string>> = {
  asked: "You would be asked",
  passes: "It would pass",
  refused: "It would be refused",
  left: "It would be left to the agent",
};

export function moveWords({ from, to }: { readonly from: AskFate; readonly to: AskFate }): string {
  return `${WOULD[to]}, where ${WAS[from]}`;
}

/** Whether a text allows more than the active rules. */
export function isLooser({ from, to }: { readonly from: AskFate; readonly to: AskFate }): boolean {
  return LOOSENESS[to] > LOOSENESS[from];
}

const LOOSENESS: Readonly<Record<AskFate, number>> = { refused: 0, asked: 1, left: 2, passes: 3 };

const YES: ReadonlySet<string> = new Set(["allow", "accept", "continue", "take-over", "respond"]);

/** Describes how a past request ended. */
export function pastWords({ how, word, by }: PastOutcome): string {
  switch (how) {
    case "person":
      return `${word !== undefined && YES.has(word) ? "Allowed" : "Refused"} by ${by ?? "a person"} then`;
    case "silence":
      return "Nobody answered then";
    case "elsewhere":
      return "Settled at the agent, or still open";
    case "rule":
      return `Answered by the rule ${by ?? "of then"}`;
    case "agent":
      return "Left to the agent then";
  }
}

const SCOPES = {
  session: "in its session, until that ends",
  project: "in its project, until the end of the day",
  always: "in its project, by a rule in the file",
} as const;

export function scopeWords(scope: keyof typeof SCOPES): string {
  return SCOPES[scope];
}

/** Removes the rule's name from a description that follows that name. */
export function withoutName(told: string, rule: string): string {
  return told.replaceAll(`${rule}: `, "");
}

/** Splits "tests: Changed. Before: tests: ask …" into the rule `tests` and the description. */
export function splitTold(loosens: string): { readonly rule: string; readonly told: string } {
  const end = loosens.indexOf(": ");
  const rule = end < 0 ? "" : loosens.slice(0, end);
  return { rule, told: withoutName(loosens, rule) };
}
