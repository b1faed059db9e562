import { SECRET_SHAPES, type SecretShape } from "@earshot/protocol";
import { countCodePoints } from "@earshot/protocol/code-points";
import { findSecrets, MASK, maskSpans, mayHoldSecret, type Span } from "./redact-find.ts";

/**
 * What must be known of a chunk to find a secret that goes on in the next one. Plain JSON, since it is stored with the
 * session: it holds what is stored of the text anyway, and of a secret only what introduced it.
 */
export interface ChunkCarry {
  /** The end of what is stored. */
  readonly tail?: string;
  /** It ended inside a secret of this shape … */
  readonly inside?: string;
  /** … of which so many UTF-16 units were seen … */
  readonly seen?: number;
  /** … and so many shown, because they looked like something else. */
  readonly shown?: number;
  /** The secret says itself where it ends, and that may have begun. */
  readonly ending?: string;
}

export interface ChunkMark {
  readonly shape: string;
  readonly length: number;
}

export interface RedactedChunk {
  readonly text: string;
  readonly marks: readonly ChunkMark[];
  readonly carry: ChunkCarry | undefined;
}

/** A secret that goes on for longer is none. */
const LONGEST_SECRET = 16_384;
/** Characters of a text that are looked at again with its next chunk: hardly any introduction is longer. */
const TAIL_LENGTH = 256;
/** How a secret goes on that was masked before the chunk came here, by somebody who did not say what it was. */
const UNKNOWN = "API key";

interface Follower {
  readonly shape: SecretShape;
  readonly begins: RegExp;
  readonly goesOn: RegExp;
  readonly unlike: RegExp | undefined;
  readonly ends: RegExp | undefined;
}

const FOLLOWERS: readonly Follower[] = SECRET_SHAPES.map((shape) => ({
  shape,
  begins: new RegExp(shape.begins, "g"),
  goesOn: new RegExp(`(?:${shape.goesOn}){0,${LONGEST_SECRET}}`, "y"),
  unlike: shape.unlike === undefined ? undefined : new RegExp(`^(?:${shape.unlike})`),
  ends: shape.ends === undefined ? undefined : new RegExp(shape.ends),
}));
/** What the end of a key may have begun with. */
const KEY_ENDING = /-(?:-{0,4}|-{4}[A-Z ]{1,50}-{0,4})$/;

/**
 * Masks the secrets in one piece of a text that comes in pieces. What may turn out to be one when the next piece comes is
 * masked at once, because by then this piece is stored. `endsIn` names the shape of a mask that the text came with at
 * its end.
 */
export function redactChunk(carry: ChunkCarry | undefined, text: string, endsIn?: string): RedactedChunk {
  if (text === "") return { text, marks: [], carry };
  const continued = carry?.inside === undefined ? undefined : goOn(carry, text);
  if (continued?.carry !== undefined) return continued;
  const before = continued?.text ?? "";
  const rest = text.slice(continued?.taken ?? 0);
  const context = continued === undefined ? (carry?.tail ?? "") : "";
  const whole = context + rest;
  const open = findOpen(whole);
  const spans = clip([...findSecrets(whole), ...(open === undefined ? [] : [open.span])], context.length);
  const masked = maskSpans(whole, spans);
  const marks = spans.map(({ start, end, shape }) => ({ shape, length: countCodePoints(whole, start, end) }));
  return {
    text: before + masked.slice(context.length),
    marks: [...(continued?.marks ?? []), ...marks],
    carry: open === undefined ? carryAfter(masked, endsIn ?? UNKNOWN) : toCarry(open, masked),
  };
}

/** The rest of a secret that began in an earlier chunk; with a carry when it has no end in this one either. */
function goOn(carry: ChunkCarry, text: string): RedactedChunk & { readonly taken: number } {
  const follower = FOLLOWERS.find(({ shape }) => shape.name === carry.inside);
  const { inside = "", seen = 0, shown = 0, ending = "" } = carry;
  if (follower === undefined) return { text: "", marks: [], carry: undefined, taken: 0 };
  const whole = ending + text;
  const end = follower.ends?.exec(whole);
  const run = runOf(follower, whole, 0);
  const reached = end !== null && end !== undefined && end.index <= run ? end.index + end[0].length : run;
  const taken = Math.min(Math.max(reached - ending.length, 0), Math.max(LONGEST_SECRET - seen, 0));
  const isOpen = taken === text.length && (end === null || end === undefined) && seen + taken < LONGEST_SECRET;
  const harmless = seen === shown && follower.unlike?.test("0".repeat(shown) + text.slice(0, taken + 1)) === true;
  const length = countCodePoints(text, 0, taken);
  const endingNow = isOpen && follower.ends !== undefined ? KEY_ENDING.exec(whole)?.[0] : undefined;
  return {
    text: harmless ? text.slice(0, taken) : MASK.repeat(length),
    marks: harmless || taken === 0 ? [] : [{ shape: inside, length }],
    carry: isOpen
      ? {
          inside,
          seen: seen + taken,
          ...(harmless ? { shown: shown + taken } : {}),
          ...(endingNow === undefined ? {} : { ending: endingNow }),
        }
      : undefined,
    taken,
  };
}

interface Open {
  readonly span: Span;
  /** Where the introduction begins. */
  readonly start: number;
  readonly introduction: string;
  /** What followed it. */
  readonly body: string;
  /** The body looks like something else so far, and is shown. */
  readonly harmless: boolean;
  readonly ending: string | undefined;
}

/** The first introduction that is followed by nothing but its secret up to the end of the text. */
function findOpen(text: string): Open | undefined {
  // The signs of a shape are in its introduction, but for an address: there the sign comes after the secret.
  if (!mayHoldSecret(text) && !text.includes("://")) return undefined;
  let first: Open | undefined;
  for (const follower of FOLLOWERS) {
    const { shape, begins, ends, unlike } = follower;
    begins.lastIndex = 0;
    for (let match = begins.exec(text); match !== null; match = begins.exec(text)) {
      const bodyStart = match.index + match[0].length;
      const run = runOf(follower, text, bodyStart);
      if (run < text.length) {
        // Another introduction inside the run stops where this one did; only one across its end may go further.
        begins.lastIndex = Math.max(bodyStart, run - TAIL_LENGTH, match.index + 1);
        continue;
      }
      const body = text.slice(bodyStart);
      if (ends?.test(body) === true) continue;
      const harmless = body !== "" && unlike?.test(body) === true;
      const start = harmless ? text.length : shape.introduced === true ? bodyStart : match.index;
      if (first !== undefined && first.span.start <= start) break;
      const span = { start, end: text.length, shape: shape.name };
      const ending = ends === undefined ? undefined : KEY_ENDING.exec(body)?.[0];
      first = { span, start: match.index, introduction: match[0], body, harmless, ending };
      break;
    }
  }
  return first;
}

function toCarry({ span, start, introduction, body, harmless, ending }: Open, masked: string): ChunkCarry {
  // The introduction may be longer: a space or a quote may follow.
  if (body === "") return { tail: masked.slice(Math.max(0, start - TAIL_LENGTH), start) + introduction };
  return {
    inside: span.shape,
    seen: body.length,
    ...(harmless ? { shown: body.length } : {}),
    ...(ending === undefined ? {} : { ending }),
  };
}

function runOf({ goesOn }: Follower, text: string, from: number): number {
  goesOn.lastIndex = from;
  return goesOn.test(text) ? goesOn.lastIndex : from;
}

/** Without what was in an earlier chunk, and without overlaps. */
function clip(spans: readonly Span[], from: number): readonly Span[] {
  const clipped: Span[] = [];
  let reached = from;
  for (const { start, end, shape } of [...spans].sort((one, other) => one.start - other.start || other.end - one.end)) {
    if (end <= reached || start === end) continue;
    clipped.push({ start: Math.max(start, reached), end, shape });
    reached = end;
  }
  return clipped;
}

function carryAfter(masked: string, endsIn: string): ChunkCarry {
  return masked.endsWith(MASK) ? { inside: endsIn, seen: 0 } : { tail: masked.slice(-TAIL_LENGTH) };
}
