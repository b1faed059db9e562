import type { Problem } from "@earshot/protocol";
import { redactChunk } from "./redact-chunks.ts";
import { findSecrets, maskSpans, mayHoldSecret } from "./redact-find.ts";

export interface RedactedText {
  readonly text: string;
  /** The shapes that were masked, one for each mask, from left to right. */
  readonly shapes: readonly string[];
}

/** Masks the secrets in bytes that could not be read: any text, JSON or not. */
export function redactText(text: string): RedactedText {
  if (!mayHoldSecret(text)) return { text, shapes: [] };
  const spans = findSecrets(text);
  return spans.length === 0 ? { text, shapes: [] } : { text: maskSpans(text, spans), shapes: spans.map(({ shape }) => shape) };
}

/**
 * The same for the beginning of a longer text. What tells a secret from other words may be in the rest, so whatever begins
 * like one and goes on to the end is masked as well.
 */
export function redactBeginning(text: string): RedactedText {
  const { text: masked, marks } = redactChunk("", text);
  return { text: masked, shapes: marks.map(({ shape }) => shape) };
}

/** What is wrong, without secrets: a message may quote what was sent, and a pointer holds the names of its members. */
export function redactProblem(problem: Problem): Problem {
  const { message, pointer } = problem;
  return {
    ...problem,
    message: redactText(message).text,
    ...(pointer === undefined ? {} : { pointer: redactText(pointer).text }),
  };
}
