import type { DecisionView, RequestView, Word } from "@earshot/hub";
import { type Question, questionsIn } from "@earshot/hub/questions";
import type { JsonValue } from "@earshot/protocol/json";
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

/** What a decision is about. */
export interface DecidedAbout {
  /** What was asked: its choices are told as they were offered. */
  readonly asked: RequestView["card"]["asked"];
  /** Named where it cannot be seen what it is about: "run git push". */
  readonly what?: string;
}

/** How a request ended: who decided, when, and why. Silence is told as no answer, never as a refusal. */
export function decisionWords(decision: DecisionView, { asked, what }: DecidedAbout, now = Date.now()): string {
  const { state, by, at, answer, reason } = decision;
  const about = what === undefined ? "" : ` It was about: ${what}.`;
  const when = clock(at, now);
  const why = reason === null || reason === "" ? "" : ` Reason: ${quoted(reason, 300)}`;
  switch (state) {
    case "defaulted":
      return `No answer came by ${when}: ${COMES[answer.word] ?? "it did not happen"}.${about}`;
    case "orphaned":
      return `No answer: whoever asked had gone at ${when}.${about}`;
    case "withdrawn":
      return `Taken back at ${when} by ${deciderName(by)}.${about}${why}`;
    case "answered-by-person":
    case "answered-by-policy": {
      const object = what === undefined ? "" : `: ${what}`;
      const changed = answer.edit === undefined && answer.rewrites === undefined ? "" : ", with changes";
      const comma = object + changed === "" ? "" : ",";
      const response = answer.response === undefined ? "" : `: ${quoted(responseText(answer.response, questionsIn(asked)), 300)}`;
      return `${DONE[answer.word] ?? "Answered"}${object}${changed}${comma} by ${deciderName(by)} at ${when}${response === "" ? "." : response}${why}`;
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

function responseText(response: NonNullable<DecisionView["answer"]["response"]>, questions: readonly Question[]): string {
  if (typeof response !== "object") return answerText(response, questions[0]);
  return Object.entries(response)
    .map(([name, value]) => {
      const question = questions.find((one) => one.name === name);
      return questions.length === 1 ? answerText(value, question) : `${question?.text ?? name} ${answerText(value, question)}`;
    })
    .join("; ");
}

/** As it was offered: what is sent for a choice may be no more than a letter. */
function answerText(value: JsonValue | undefined, question: Question | undefined): string {
  if (Array.isArray(value)) return value.map((one) => answerText(one, question)).join(", ");
  if (typeof value === "string") return question?.choices.find((choice) => choice.value === value)?.label ?? value;
  return typeof value === "boolean" ? (value ? "yes" : "no") : JSON.stringify(value ?? null);
}
