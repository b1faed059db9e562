import { SECRET_SHAPES } from "@earshot/protocol";
import { countCodePoints } from "@earshot/protocol/code-points";
import { findSecrets, MASK_CHARACTER, maskSpans, mayHoldSecret, type SecretSpan } from "./redact-find.ts";

export interface ChunkMark {
  readonly shape: string;
  readonly length: number;
}

export interface RedactedChunk {
  readonly text: string;
  readonly marks: readonly ChunkMark[];
  /** The context for the next chunk. It may contain secrets, so it is only kept in memory. */
  readonly tail: string;
}

/** Characters examined again with the next chunk; hardly any introduction is longer. */
const TAIL_LENGTH = 256;
/** A longer run is not a secret. */
const MAX_SECRET_LENGTH = 8192;

const FOLLOWERS = SECRET_SHAPES.map((shape) => ({
  shape,
  begins: new RegExp(shape.begins, "g"),
  goesOn: new RegExp(`(?:${shape.goesOn}){0,${2 * MAX_SECRET_LENGTH}}`, "y"),
  unlike: shape.unlike === undefined ? undefined : new RegExp(`^(?:${shape.unlike})`),
  ends: shape.ends === undefined ? undefined : new RegExp(shape.ends),
}));
/** The continuation of a secret masked to the end of the previous chunk. */
const REST_OF_MASKED = /^[\w+/=.~-]+/;

/**
 * Masks the secrets in one part of a text. A possible secret at the end is masked at once, because the part is stored before the next one
 * arrives.
 */
export function redactChunk(tail: string, text: string): RedactedChunk {
  const whole = tail + text;
  const open = findOpen(whole);
  const found = [...findSecrets(whole), ...(open === undefined ? [] : [{ start: open.secret, end: whole.length, shape: open.shape }])];
  const rest = tail.endsWith(MASK_CHARACTER) ? REST_OF_MASKED.exec(text)?.[0].length : undefined;
  if (rest !== undefined) found.push({ start: tail.length, end: tail.length + rest, shape: "API key" });
  const spans = clip(found, tail.length);
  const marks = spans.map(({ start, end, shape }) => ({ shape, length: countCodePoints(whole, start, end) }));
  const masked = maskSpans(whole, spans).slice(tail.length);
  if (rest === text.length) return { text: masked, marks, tail };
  const isOpen = open !== undefined && whole.length - open.start <= MAX_SECRET_LENGTH;
  return { text: masked, marks, tail: whole.slice(isOpen ? open.start : Math.max(0, whole.length - TAIL_LENGTH)) };
}

interface Open {
  /** Start of the introduction and of the secret. */
  readonly start: number;
  readonly secret: number;
  readonly shape: string;
}

/** The first introduction followed only by its secret up to the end of the text. */
function findOpen(text: string): Open | undefined {
  // The signs of a shape are in its introduction, except for URLs, where they follow the secret.
  if (!mayHoldSecret(text) && !text.includes("://")) return undefined;
  let first: Open | undefined;
  for (const { shape, begins, goesOn, unlike, ends } of FOLLOWERS) {
    begins.lastIndex = 0;
    for (let match = begins.exec(text); match !== null; match = begins.exec(text)) {
      const body = match.index + match[0].length;
      goesOn.lastIndex = body;
      const run = goesOn.test(text) ? goesOn.lastIndex : body;
      if (run < text.length) {
        // Another introduction inside the run would end at the same place; only one across its end may reach further.
        begins.lastIndex = Math.max(body, run - TAIL_LENGTH, match.index + 1);
        continue;
      }
      const said = text.slice(body);
      if (ends?.test(said) === true || (said !== "" && unlike?.test(said) === true)) continue;
      const secret = shape.introduced === true ? body : match.index;
      // Of two introductions of one secret, the longer one counts, because the other may be part of it.
      const isFirst = first === undefined || secret < first.secret || (secret === first.secret && match.index < first.start);
      if (isFirst) first = { start: match.index, secret, shape: shape.name };
      break;
    }
  }
  return first;
}

/** Removes spans of earlier chunks and overlaps. */
function clip(spans: readonly SecretSpan[], from: number): readonly SecretSpan[] {
  const clipped: SecretSpan[] = [];
  let reached = from;
  for (const { start, end, shape } of spans.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    if (end <= reached || start === end) continue;
    clipped.push({ start: Math.max(start, reached), end, shape });
    reached = end;
  }
  return clipped;
}
