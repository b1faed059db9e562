/** `alone`: the last one who could answer has left, and may be on the way back. */
export type QuestionState = "waiting" | "alone" | "ended";
export type QuestionSignal = "left" | "came" | "replied" | "expired" | "forsaken" | "withdrawn";

const ENDED: Record<QuestionSignal, QuestionState> = {
  left: "ended",
  came: "ended",
  replied: "ended",
  expired: "ended",
  forsaken: "ended",
  withdrawn: "ended",
};

/**
 * Every pair of state and signal. A valid reply counts also while nobody listens: it may come by another way than the stream
 * that broke. From its end on, nothing changes a question.
 */
export const QUESTION_STEPS: Record<QuestionState, Record<QuestionSignal, QuestionState>> = {
  waiting: { ...ENDED, left: "alone", came: "waiting", forsaken: "waiting" },
  alone: { ...ENDED, left: "alone", came: "waiting" },
  ended: ENDED,
};
