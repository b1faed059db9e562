import type { Problem } from "@earshot/protocol";
import { redactChunk } from "./redact-chunks.ts";
import { findSecrets, maskSpans, mayHoldSecret } from "./redact-find.ts";

export interface RedactedText {
  readonly text: string;
  /** The shapes of the masks, from left to right. */
  readonly shapes: readonly string[];
}

/** Masks the secrets in unreadable bytes: any text, JSON or not. */
export function redactText(text: string): RedactedText {
  if (!mayHoldSecret(text)) return { text, shapes: [] };
  const spans = findSecrets(text);
  return spans.length === 0 ? { text, shapes: [] } : { text: maskSpans(text, spans), shapes: spans.map(({ shape }) => shape) };
}

/**
 * As `redactText`, for the beginning of a longer text. The rest might distinguish a secret from other words, so anything that begins like
 * one and reaches the end is masked.
 */
export function redactBeginning(text: string): RedactedText {
  const { text: masked, marks } = redactChunk("", text);
  return { text: masked, shapes: marks.map(({ shape }) => shape) };
}

/** A problem without secrets: a message may quote the input, and a pointer contains member names. */
export function redactProblem(problem: Problem): Problem {
  const { message, pointer } = problem;
  return {
    ...problem,
    message: redactText(message).text,
    ...(pointer === undefined ? {} : { pointer: redactText(pointer).text }),
  };
}
