import type { Asked, RequestView, Word } from "@earshot/hub";
import { inspectRequest } from "./inspect-request.ts";

/** Words that say yes and no, in the order in which they are looked for: each kind of request has its own. */
const YES = ["allow", "accept", "continue", "take-over"] as const satisfies readonly Word[];
const NO = ["deny", "reject", "block", "decline"] as const satisfies readonly Word[];

export function yesWord({ card }: Pick<RequestView, "card">): Word | undefined {
  return YES.find((word) => card.terms.answers.includes(word));
}

export function noWord({ card }: Pick<RequestView, "card">): Word | undefined {
  return NO.find((word) => card.terms.answers.includes(word));
}

/** What is asked twice before it is let through: by what the hub says, or by what can be found in the input here. */
export function isRisky(asked: Asked): boolean {
  const { irreversible, risk } = inspectRequest(asked);
  return irreversible || risk === "high";
}

const VERBS: Readonly<Partial<Record<Word, string>>> = {
  allow: "allow",
  accept: "allow",
  continue: "let it go on",
  "take-over": "take over",
  deny: "deny",
  reject: "deny",
  block: "hold it back",
  decline: "decline",
};

/** As a person says it. */
export function verbOf(word: Word): string {
  return VERBS[word] ?? word;
}

/** Why it is asked twice. */
export function riskInWords(asked: Asked): string {
  return inspectRequest(asked).irreversible ? "This cannot be undone." : "The risk is high.";
}
