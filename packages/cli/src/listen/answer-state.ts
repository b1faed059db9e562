import type { NumberedAnswer } from "@earshot/narrate";

/** Which request a number would answer, and whether it may. A plain value. */
export interface AnswerState {
  /** The id of the last read request; null for none. */
  readonly request: string | null;
  /** Until then no number counts, because it may have been meant for the previous request. */
  readonly armedAt: number;
  /** Whether it was read to its end. */
  readonly isSpoken: boolean;
  /** The number that must be pressed again. */
  readonly confirming: number | null;
}

export const NO_ANSWER_STATE: AnswerState = { request: null, armedAt: 0, isSpoken: false, confirming: null };
export const LISTEN_ARMING_MS = 700;

/** A request begins to be read. Repeating the same one keeps its progress. */
export function beginReading(state: AnswerState, request: string, now: number): AnswerState {
  if (state.request === request) return { ...state, confirming: null };
  return { request, armedAt: now + LISTEN_ARMING_MS, isSpoken: false, confirming: null };
}

/** It was read to its end. */
export function finishReading(state: AnswerState, request: string): AnswerState {
  return state.request === request ? { ...state, isSpoken: true } : state;
}

/** The request ended: no number answers anything until another one is read. */
export function endRequest(state: AnswerState, request: string): AnswerState {
  return state.request === request ? NO_ANSWER_STATE : state;
}

/** Another key cancels a pending confirmation. */
export function leaveConfirming(state: AnswerState): AnswerState {
  return state.confirming === null ? state : { ...state, confirming: null };
}

export type NumberRefusal = "nothing asked" | "not heard" | "too fast" | "no such answer";

export type NumberAction =
  | { readonly kind: "answer" | "confirm"; readonly request: string; readonly answer: NumberedAnswer }
  | { readonly kind: "refuse"; readonly why: NumberRefusal };

/** Answers that let nothing happen, which are never confirmed. */
const HARMLESS: ReadonlySet<string> = new Set(["deny", "reject", "block", "decline", "defer", "stop"]);

export interface Answerable {
  readonly answers: readonly NumberedAnswer[];
  /** Whether a yes must be confirmed. */
  readonly risky: boolean;
}

/** Handles a number. Nothing unheard is answered, nothing by a key pressed too early, and a risky yes needs the same key twice. Pure. */
export function pressNumber(
  state: AnswerState,
  number: number,
  now: number,
  { answers, risky }: Answerable,
): { readonly state: AnswerState; readonly wish: NumberAction } {
  const rested = leaveConfirming(state);
  const refuse = (why: NumberRefusal) => ({ state: rested, wish: { kind: "refuse", why } }) as const;
  const { request } = state;
  if (request === null) return refuse("nothing asked");
  if (now < state.armedAt) return { state, wish: { kind: "refuse", why: "too fast" } };
  if (!state.isSpoken) return refuse("not heard");
  const answer = answers.find((one) => one.number === number);
  if (answer === undefined) return refuse("no such answer");
  const isConfirmed = state.confirming === number;
  if (risky && !HARMLESS.has(answer.word) && !isConfirmed) {
    return { state: { ...state, confirming: number, armedAt: now + LISTEN_ARMING_MS }, wish: { kind: "confirm", request, answer } };
  }
  return { state: rested, wish: { kind: "answer", request, answer } };
}
