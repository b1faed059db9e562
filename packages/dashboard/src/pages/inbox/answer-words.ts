import type { NoWord, YesWord } from "@earshot/narrate";

/** The labels of the buttons that say yes and no. */
export const LABELS = {
  allow: "Allow once",
  accept: "Allow once",
  continue: "Let it go on",
  "take-over": "Take over",
  deny: "Deny",
  reject: "Deny",
  block: "Hold it back",
  decline: "Decline",
} as const satisfies Readonly<Record<YesWord | NoWord, string>>;

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
