import { formatDuration, spaceWords } from "@earshot/narrate";
import { jsonInWords } from "./json-in-words.ts";
import type { Tellers } from "./of-kind.ts";
import { given, labelled, riskInWords, when } from "./phrases.ts";

/** What waits for an answer, and the answers. */
export const REQUESTS: Tellers<"request.asked" | "request.answered"> = {
  "request.asked": ({ request, token, prompt, consequence, background, choices, choiceValues, accepts, risk, reversible, ...rest }) => {
    const { callId, tool, timeoutMs, byDefault, ...others } = rest;
    return {
      what: ASKED[request],
      tone: "warning",
      remarks: [...given(when(tool, (name) => `for ${name}`)), ...riskInWords(risk, reversible)],
      words: prompt,
      parts: labelled({
        Consequence: consequence,
        Background: background,
        Choices: choicesInWords(choices, choiceValues),
        Takes: accepts?.map(spaceWords).join(", "),
        Waits: when(timeoutMs, formatDuration),
        "Without an answer": byDefault,
        "Reply token": token,
        "Call id": callId,
      }),
      rest: others,
    };
  },
  "request.answered": ({ request, token, answer, by, reason, change, ...rest }) => ({
    what: request === undefined ? "Answered" : `Answered the ${NOUNS[request]}`,
    remarks: given(when(by, (who) => `by ${who}`)),
    words: answer,
    parts: labelled({ Reason: reason, Change: when(change, jsonInWords), "Reply token": token }),
    rest,
  }),
};

const ASKED = {
  confirmation: "Asks for confirmation",
  clarification: "Asks a question",
  permission: "Asks for permission",
  handoff: "Asks to hand over",
} as const;

const NOUNS = { confirmation: "confirmation", clarification: "question", permission: "request", handoff: "handover" } as const;

/** What an answer says is named where it is not what is read. */
function choicesInWords(choices: readonly string[] | undefined, values: readonly string[] | undefined): string | undefined {
  return choices?.map((choice, index) => [...new Set(given(choice, values?.[index]))].join(" = ")).join("; ");
}
