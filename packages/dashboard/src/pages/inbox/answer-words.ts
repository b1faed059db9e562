import type { RequestView, Word } from "@earshot/hub";

/** Words that say yes and no, in the order in which they are looked for: each kind of request has its own. */
const YES = ["allow", "accept", "continue", "take-over"] as const satisfies readonly Word[];
const NO = ["deny", "reject", "block", "decline"] as const satisfies readonly Word[];

type Told = Pick<RequestView, "card">;

export function yesWord({ card }: Told): (typeof YES)[number] | undefined {
  return YES.find((word) => card.terms.answers.includes(word));
}

export function noWord({ card }: Told): (typeof NO)[number] | undefined {
  return NO.find((word) => card.terms.answers.includes(word));
}

export const LABELS = {
  allow: "Allow once",
  accept: "Allow once",
  continue: "Let it go on",
  "take-over": "Take over",
  deny: "Deny",
  reject: "Deny",
  block: "Hold it back",
  decline: "Decline",
} as const satisfies Readonly<Record<(typeof YES)[number] | (typeof NO)[number], string>>;

/** For several that are the same. */
export const LABELS_FOR_ALL = {
  allow: (count) => `Allow all ${count} once`,
  accept: (count) => `Allow all ${count} once`,
  continue: (count) => `Let all ${count} go on`,
  "take-over": (count) => `Take over all ${count}`,
  deny: (count) => `Deny all ${count}`,
  reject: (count) => `Deny all ${count}`,
  block: (count) => `Hold all ${count} back`,
  decline: (count) => `Decline all ${count}`,
} as const satisfies Readonly<Record<keyof typeof LABELS, (count: number) => string>>;
