import type { JsonValue } from "@earshot/protocol/json";
import { languageWordsFor } from "../sentences/languages.ts";
import type { Catalogue } from "../words/catalogue.ts";
import type { Presentation } from "./describe-request.ts";
import type { AskedRequest, NarratedDecision, RequestChoice } from "./request.ts";

export interface DecidedAbout {
  /** The request, needed to name its choices as offered. */
  readonly asked: AskedRequest;
  /** The subject, where it is not visible: "run git push". */
  readonly what?: string;
}

const LONGEST_QUOTED = 300;

/** How a request ended: who decided, when, and why. No answer is never called a refusal. */
export function describeDecision(decision: NarratedDecision, { asked, what }: DecidedAbout, presentation: Presentation): string {
  const { language = "en", show, clock } = presentation;
  const { decisions } = languageWordsFor(language).catalogue;
  const { state, by, at, answer, held, reason } = decision;
  const quote = (text: string) => decisions.quoted(show(text, LONGEST_QUOTED));
  const about = what === undefined ? "" : decisions.about(what);
  const when = clock(Date.parse(at));
  const why = reason === null || reason === "" ? "" : decisions.reason(quote(reason));
  switch (state) {
    case "defaulted":
      if (!held && (answer.word === "ask" || answer.word === "abstain")) return `${decisions.leftToAgent(when)}${about}${why}`;
      return `${decisions.noAnswer(when, decisions.came[answer.word])}${about}`;
    case "orphaned":
      return `${decisions.askerGone(when)}${about}`;
    case "withdrawn":
      return `${decisions.takenBack(when, nameDecider(by, decisions, show))}${about}${why}`;
    case "answered-by-person":
    case "answered-by-policy": {
      const isChanged = answer.edit !== undefined || answer.rewrites !== undefined;
      const response = answer.response === undefined ? "." : `: ${quote(readResponse(answer.response, asked, decisions))}`;
      const message = answer.message === undefined || answer.message === reason ? "" : decisions.toldAgent(quote(answer.message));
      const done = decisions.done[answer.word];
      return `${decisions.answered({ done, what, isChanged, by: nameDecider(by, decisions, show), when })}${response}${why}${message}`;
    }
  }
}

export interface RequestAftermath {
  readonly takenAt: string | null;
  readonly outcome: string | null;
}

/** The aftermath: whether the agent took the answer, and what it did. */
export function describeAftermath(
  { takenAt, outcome }: RequestAftermath,
  { language = "en", show, clock }: Presentation,
): string | undefined {
  const { decisions } = languageWordsFor(language).catalogue;
  const sentences = [
    ...(takenAt === null ? [] : [decisions.taken(clock(Date.parse(takenAt)))]),
    ...(outcome === null ? [] : [decisions.outcome(show(outcome, 80))]),
  ];
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

type Decisions = Catalogue["decisions"];

function nameDecider(by: string, decisions: Decisions, show: Presentation["show"]): string {
  const rule = /^policy: (.*)$/s.exec(by)?.[1];
  if (rule !== undefined) return decisions.rule(show(rule, 80));
  return by === "hub" ? decisions.hub : show(by, 80);
}

interface AnsweredField {
  readonly name?: string;
  readonly text: string;
  readonly choices: readonly RequestChoice[];
}

function readResponse(response: JsonValue, { fields, choices = [] }: AskedRequest, decisions: Decisions): string {
  const questions: readonly AnsweredField[] = fields?.map((field) => ({ choices: [], ...field })) ?? [{ text: "", choices }];
  if (typeof response !== "object" || response === null) return readAnswer(response, questions[0], decisions);
  return Object.entries(response)
    .map(([name, value]) => {
      const question = questions.find((one) => one.name === name);
      const answer = readAnswer(value, question, decisions);
      return questions.length === 1 ? answer : `${question?.text ?? name} ${answer}`;
    })
    .join("; ");
}

/** The offered label of an answer: the sent value may be only a letter. */
function readAnswer(value: JsonValue | undefined, question: AnsweredField | undefined, decisions: Decisions): string {
  if (Array.isArray(value)) return value.map((one) => readAnswer(one, question, decisions)).join(", ");
  if (typeof value === "string") return question?.choices.find((choice) => choice.value === value)?.label ?? value;
  return typeof value === "boolean" ? decisions[value ? "yes" : "no"] : JSON.stringify(value ?? null);
}
