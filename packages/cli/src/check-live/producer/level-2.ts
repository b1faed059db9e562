import { clarify, handOver } from "./clarifications.ts";
import { accept, asking, reject, replyAsStranger, replyTwice, replyWrongly } from "./confirmations.ts";
import { waitForDefault } from "./defaults.ts";
import type { Scenario } from "./scenario.ts";

const CLARIFIES = {
  clarify: "A question waits for words, refuses what is none, and goes on with the answer.",
  "clarify-yes-no": "A question waits for yes or no.",
  "clarify-choice": "A question waits for one of its choices.",
  "clarify-number": "A question waits for a number.",
} as const;

/** Level 2: what an agent asks, and what becomes of the answers. */
export const LEVEL_2: readonly Scenario[] = [
  {
    name: "accept",
    level: 2,
    title: "An action waits for its confirmation, and follows it.",
    run: (stage) => asking(stage, "confirm", accept),
  },
  {
    name: "reject",
    level: 2,
    title: "A rejected action is not done, and everybody learns so.",
    run: (stage) => asking(stage, "confirm", reject),
  },
  {
    name: "irreversible",
    level: 2,
    title: "What cannot be undone is asked about first, and done once it is accepted.",
    run: (stage) => asking(stage, "irreversible", accept),
  },
  {
    name: "second-reply",
    level: 2,
    title: "The first answer counts, and a second one changes nothing.",
    run: (stage) => asking(stage, "irreversible", replyTwice),
  },
  {
    name: "wrong-replies",
    level: 2,
    title: "Invented, altered and misshapen replies change nothing.",
    run: (stage) => asking(stage, "irreversible", replyWrongly),
  },
  {
    name: "timeout",
    level: 2,
    title: "Without an answer the default applies, when the time is over, and a late answer changes nothing.",
    run: waitForDefault,
  },
  {
    name: "stranger",
    level: 2,
    title: "A reply of somebody unknown changes nothing.",
    run: (stage) => asking(stage, "irreversible", replyAsStranger),
  },
  ...(["clarify", "clarify-yes-no", "clarify-choice", "clarify-number"] as const).map(
    (situation): Scenario => ({
      name: situation,
      level: 2,
      title: CLARIFIES[situation],
      run: (stage) => clarify(stage, situation),
    }),
  ),
  { name: "handoff", level: 2, title: "An agent that hands over says so.", run: handOver },
];
