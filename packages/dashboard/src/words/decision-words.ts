import type { DecisionView, RequestView, Word } from "@earshot/hub";
import { quoted, shortly } from "./request-words.ts";
import { clock } from "./times.ts";

const DONE: Readonly<Record<Word, string>> = {
  allow: "Allowed",
  accept: "Allowed",
  continue: "Let go on",
  deny: "Denied",
  reject: "Denied",
  block: "Held back",
  decline: "Declined",
  ask: "Sent to the agent's own prompt",
  abstain: "Left to the agent",
  defer: "Put off",
  stop: "Stopped",
  respond: "Answered",
  "take-over": "Taken over",
};

/** What comes of an answer, where nobody gave one. */
const COMES: Readonly<Partial<Record<Word, string>>> = {
  allow: "it went ahead",
  accept: "it went ahead",
  continue: "it went on",
  ask: "it was left to the agent's own prompt",
  abstain: "it was left to the agent",
  respond: "the agent went on with an answer of its own",
};

/** How a request ended: who decided, when, and why. Silence is told as no answer, never as a refusal. */
export function decisionWords({ state, by, at, answer, reason }: DecisionView, now = Date.now()): string {
  const when = clock(at, now);
  const why = reason === null || reason === "" ? "" : ` Reason: ${quoted(reason, 300)}`;
  switch (state) {
    case "defaulted":
      return `No answer came by ${when}: ${COMES[answer.word] ?? "it did not happen"}.`;
    case "orphaned":
      return `No answer: whoever asked had gone at ${when}.`;
    case "withdrawn":
      return `Taken back at ${when} by ${deciderName(by)}.${why}`;
    case "answered-by-person":
    case "answered-by-policy": {
      const changed = answer.edit === undefined && answer.rewrites === undefined ? "" : ", with changes,";
      const response = answer.response === undefined ? "" : `: ${quoted(responseText(answer.response), 300)}`;
      return `${DONE[answer.word] ?? "Answered"}${changed} by ${deciderName(by)} at ${when}${response === "" ? "." : response}${why}`;
    }
  }
}

/** What came after: whether the agent took the answer, and what it did. */
export function aftermathWords({ takenAt, outcome }: Pick<RequestView, "takenAt" | "outcome">, now = Date.now()): string | undefined {
  const sentences = [
    ...(takenAt === null ? [] : [`The agent took the answer at ${clock(takenAt, now)}.`]),
    ...(outcome === null ? [] : [`What came of it: ${shortly(outcome, 80)}.`]),
  ];
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

function deciderName(by: string): string {
  const rule = /^policy: (.*)$/s.exec(by)?.[1];
  if (rule !== undefined) return `the rule ${shortly(rule, 80)}`;
  return by === "hub" ? "the hub" : shortly(by, 80);
}

function responseText(response: NonNullable<DecisionView["answer"]["response"]>): string {
  if (typeof response === "string") return response;
  return typeof response === "boolean" ? (response ? "yes" : "no") : JSON.stringify(response);
}
