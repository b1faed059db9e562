import type { Question, QuestionEnding } from "@earshot/aaep/speaking";

/** Default texts in English; events that use them are marked. */
export const DEFAULT_STATE_TEXTS: Readonly<Record<string, string>> = {
  thinking: "Thinking.",
  deciding: "Deciding what to do next.",
  calling_tool: "Using a tool.",
  writing_output: "Writing an answer.",
  awaiting_input: "Waiting for an answer.",
  handing_off: "Handing over.",
};

/** How a question ended, without repeating the question. */
export function endingWords(question: Question, ending: QuestionEnding): string {
  switch (ending.how) {
    case "accepted":
      return `Allowed${by(ending.by)}.`;
    case "rejected":
      return `Refused${by(ending.by)}.`;
    case "answered":
      return `Answered${by(ending.by)}.`;
    case "defaulted":
      return `${SILENCE[ending.why]}: ${ending.decision === "accept" ? "allowed" : "refused"}.`;
    case "unanswered":
      return `${SILENCE[ending.why]}${ending.response === undefined ? "" : ": going on without one"}.`;
    case "withdrawn":
      return question.kind === "confirmation" ? "Not asked any more: nothing was allowed." : "Not asked any more.";
  }
}

const SILENCE = { time: "No answer in time", nobody: "Nobody is there to answer" } as const;

function by(who: string | undefined): string {
  return who === undefined ? "" : ` by ${who}`;
}

export function timeLeftWords(leftMs: number): string {
  const seconds = Math.max(1, Math.round(leftMs / 1000));
  if (seconds < 90) return `${seconds} ${seconds === 1 ? "second is" : "seconds are"} left to answer.`;
  return `${Math.round(seconds / 60)} minutes are left to answer.`;
}
