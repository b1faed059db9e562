import { findSecrets, maskSpans, mayHoldSecret } from "./redact-find.ts";

export interface RedactedText {
  readonly text: string;
  /** The shapes that were masked, one for each mask, from left to right. */
  readonly shapes: readonly string[];
}

/** Masks the secrets in bytes that could not be read: any text, JSON or not, whole or cut off. */
export function redactText(text: string): RedactedText {
  if (!mayHoldSecret(text)) return { text, shapes: [] };
  const spans = findSecrets(text);
  return spans.length === 0 ? { text, shapes: [] } : { text: maskSpans(text, spans), shapes: spans.map(({ shape }) => shape) };
}
