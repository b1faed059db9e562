import type { AaepResponseKind, Clarification, QuestionEnding } from "@earshot/aaep/speaking";
import { EarshotError } from "@earshot/protocol/problem";
import { ownOptions } from "../plain/own.ts";
import { MAX_TEXT_CHARACTERS, toCleanText, toCleanTextOr, toSummaryMembers } from "./clean-text.ts";
import { sessionEndedError } from "./confirm.ts";
import { toWhole } from "./facts.ts";
import type { QuestionQueue } from "./question-queue.ts";
import type { SessionCore } from "./session-core.ts";
import type { ChoiceOption, ChooseOptions, Clarified, ClarifyOptions } from "./session-options.ts";

const KINDS = ["freetext", "yes_no", "multiple_choice", "numeric"] as const;
const SECONDS = 180;
const DAY_SECONDS = 86_400;
const MAX_CHOICES = 32;
const LONGEST_VALUE = 128;

type AnyResponse = string | boolean | number;
type Clarifying = ChooseOptions | ClarifyOptions;

export async function askClarification(core: SessionCore, asking: QuestionQueue, options: Clarifying): Promise<Clarified<AnyResponse>> {
  const { kinds, choices, defaultResponse, payload, timeoutSeconds } = readClarification(ownOptions(options));
  const token = core.ports.newId("rpl");
  const put = () => {
    const written = core.emit("awaiting.clarification", { ...payload, reply_token: token }, { urgency: "critical" });
    if (written === undefined) throw sessionEndedError();
    const question: Clarification = {
      kind: "clarification",
      token,
      session: core.sessionId,
      askedMs: written.ms,
      timeoutMs: timeoutSeconds * 1000,
      kinds,
      choices: choices.map(({ value }) => value),
      ...(defaultResponse === undefined ? {} : { defaultResponse }),
    };
    return { question, written };
  };
  return asking.ask(put, toClarified);
}

function readClarification(options: Partial<Clarifying>) {
  const choices = readChoices(options.choices);
  const kinds = readKinds(options.kinds, choices.length > 0);
  const { defaultResponse } = options;
  if (defaultResponse !== undefined && !fits(defaultResponse, kinds, choices)) {
    throw invalid("What counts without an answer is none of the answers.");
  }
  const question = toCleanTextOr(options.question, "What should I do?");
  const timeoutSeconds = toWhole(options.timeoutSeconds, 1, DAY_SECONDS) ?? SECONDS;
  return {
    kinds,
    choices,
    defaultResponse,
    timeoutSeconds,
    payload: {
      question,
      ...toSummaryMembers(options.summary, question),
      timeout_seconds: timeoutSeconds,
      accepted_response_kinds: kinds,
      choices: choices.length === 0 ? undefined : choices,
      context: toCleanText(options.context, MAX_TEXT_CHARACTERS.terse),
      default_response: defaultResponse === undefined ? undefined : (toCleanText(String(defaultResponse), MAX_TEXT_CHARACTERS.terse) ?? ""),
    },
  };
}

function readKinds(given: readonly AaepResponseKind[] | undefined, hasChoices: boolean): readonly AaepResponseKind[] {
  const named = Array.isArray(given) ? KINDS.filter((kind) => given.includes(kind)) : [];
  if (named.includes("multiple_choice") && !hasChoices) throw invalid("There are no choices.");
  if (named.length > 0) return hasChoices && !named.includes("multiple_choice") ? [...named, "multiple_choice"] : named;
  return hasChoices ? ["multiple_choice"] : ["freetext"];
}

function readChoices(given: readonly (string | ChoiceOption)[] | undefined): readonly { readonly value: string; readonly label: string }[] {
  if (given === undefined || given === null) return [];
  const choices = Array.isArray(given)
    ? given.map((one) => (typeof one === "string" ? { value: one } : ownOptions<ChoiceOption>(one)))
    : [];
  const values = new Set(choices.map(({ value }) => value));
  if (choices.length < 2 || choices.length > MAX_CHOICES || values.size < choices.length) throw invalid("2 to 32 different choices.");
  return choices.map(({ value, label }) => {
    if (typeof value !== "string" || value === "" || value.length > LONGEST_VALUE || !value.isWellFormed())
      throw invalid("A choice without a usable value.");
    return { value, label: toCleanText(label, LONGEST_VALUE) ?? toCleanTextOr(value, "?", LONGEST_VALUE) };
  });
}

function fits(response: unknown, kinds: readonly AaepResponseKind[], choices: readonly { readonly value: string }[]): boolean {
  if (typeof response === "boolean") return kinds.includes("yes_no");
  if (typeof response === "number") return kinds.includes("numeric") && Number.isFinite(response);
  if (typeof response !== "string") return false;
  return kinds.includes("freetext") || choices.some(({ value }) => value === response);
}

function invalid(message: string): EarshotError {
  return new EarshotError({ code: "QUESTION_INVALID", message });
}

function toClarified(ending: QuestionEnding): Clarified<AnyResponse> {
  switch (ending.how) {
    case "answered": {
      const { how: _how, ...said } = ending;
      return { answered: true, ...said };
    }
    case "unanswered": {
      const { how: _how, ...said } = ending;
      return { answered: false, ...said };
    }
    default:
      return { answered: false, why: "withdrawn" };
  }
}
