import type { DecisionView, RequestView, Word } from "@earshot/hub";
import { comesOf } from "./silence-line.ts";
import { whenInWords } from "./time-words.ts";
import { visibleBeginning } from "./visible-text.ts";
import { quoted } from "./what-it-wants.ts";

const DONE: Readonly<Record<Word, string>> = {
  allow: "Allowed",
  accept: "Allowed",
  continue: "Let go on",
  deny: "Refused",
  reject: "Refused",
  block: "Held back",
  decline: "Declined",
  ask: "Sent to the agent's own prompt",
  abstain: "Left to the agent",
  defer: "Put off",
  stop: "Stopped",
  respond: "Answered",
  "take-over": "Taken over",
};

/** How a request ended: who decided, when, and why. Silence is told as no answer, never as a refusal. */
export function decisionLine(decision: DecisionView, now: number, timeZone?: string): string {
  const { state, by, at, answer, reason } = decision;
  const when = whenInWords(Date.parse(at), now, timeZone);
  const why = reason === null || reason === "" ? "" : ` Reason: ${quoted(reason)}`;
  switch (state) {
    case "defaulted":
      return `No answer came by ${when}: ${comesOf(answer)}.`;
    case "orphaned":
      return `No answer: whoever asked had gone at ${when}.`;
    case "withdrawn":
      return `Taken back at ${when} by ${nameOf(by)}.${why}`;
    case "answered-by-person":
    case "answered-by-policy": {
      const response = answer.response === undefined ? "" : `: ${quoted(textOf(answer.response))}`;
      const changed = answer.edit === undefined && answer.rewrites === undefined ? "" : ", with changes,";
      const words = answer.message === undefined || answer.message === reason ? "" : ` Told the agent: ${quoted(answer.message)}`;
      return `${DONE[answer.word] ?? "Answered"}${changed} by ${nameOf(by)} at ${when}${response === "" ? "." : response}${why}${words}`;
    }
  }
}

/** What came after: whether the agent took the answer, and what it did. */
export function aftermathLine({ takenAt, outcome, alarm }: RequestView, now: number, timeZone?: string): string | undefined {
  const sentences = [
    ...(takenAt === null ? [] : [`The agent took the answer at ${whenInWords(Date.parse(takenAt), now, timeZone)}.`]),
    ...(outcome === null ? [] : [`What came of it: ${visibleBeginning(outcome, 80)}.`]),
    ...(alarm === null ? [] : [`Alarm: ${visibleBeginning(alarm, 200)}`]),
  ];
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

function nameOf(by: string): string {
  const rule = /^policy: (.*)$/s.exec(by)?.[1];
  return rule === undefined ? visibleBeginning(by, 80) : `the rule ${visibleBeginning(rule, 80)}`;
}

function textOf(response: NonNullable<DecisionView["answer"]["response"]>): string {
  return typeof response === "string" ? response : JSON.stringify(response);
}
