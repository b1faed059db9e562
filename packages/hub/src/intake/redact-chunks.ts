import { SECRET_SHAPES, type SecretShape } from "@earshot/protocol";
import { countCodePoints } from "@earshot/protocol/code-points";
import { beginningsOf } from "./redact-beginnings.ts";
import { findSecrets, MASK, maskSpans, mayHoldSecret, type Span } from "./redact-find.ts";

/**
 * What must be known of a chunk to find a secret that goes on in the next one. Plain JSON, since it is stored with the
 * session; hence it never holds a character of a secret, only what introduced it.
 */
export interface ChunkCarry {
  /** The chunk ended with what may become an introduction. */
  readonly tail?: string;
  /** It ended with a letter, or with another character of a word: what follows does not begin a word. */
  readonly after?: typeof LETTER | typeof WORD_CHARACTER;
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

/** No introduction has these in the places where a word begins. */
const LETTER = "q";
const WORD_CHARACTER = "_";
/** A secret that goes on for longer is none. */
const LONGEST_SECRET = 16_384;
/** No introduction is longer. */
const LONGEST_BEGINNING = 160;
/** How a secret goes on that was masked before the chunk came here, by somebody who did not say what it was. */
const UNKNOWN = "API key";

interface Follower {
  readonly shape: SecretShape;
  readonly begins: RegExp;
  readonly goesOn: RegExp;
  readonly unlike: RegExp | undefined;
  readonly ends: RegExp | undefined;
  readonly ending: RegExp | undefined;
}

const FOLLOWERS: readonly Follower[] = SECRET_SHAPES.map((shape) => ({
  shape,
  begins: new RegExp(shape.begins, "g"),
  goesOn: new RegExp(`(?:${shape.goesOn}){0,${LONGEST_SECRET}}`, "y"),
  unlike: shape.unlike === undefined ? undefined : new RegExp(`^(?:${shape.unlike})`),
  ends: shape.ends === undefined ? undefined : new RegExp(shape.ends),
  ending: shape.ends === undefined ? undefined : new RegExp(`${beginningsOf(shape.ends)}$`),
}));
const BEGINNING = new RegExp(`(?:${SECRET_SHAPES.map(({ begins }) => beginningsOf(begins)).join("|")})$`, "g");
/** The last letter of a terminal's colour is not the first of a word. */
const COLOUR = new RegExp(`${String.fromCharCode(27)}(?:\\[[0-9;]{0,12}m?)?$`);

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
  const context = continued === undefined ? (carry?.tail ?? carry?.after ?? "") : "";
  const whole = context + rest;
  const open = findOpen(whole);
  const spans = clip([...findSecrets(whole), ...(open === undefined ? [] : [open.span])], context.length);
  const masked = maskSpans(whole, spans);
  const marks = spans.map(({ start, end, shape }) => ({ shape, length: countCodePoints(whole, start, end) }));
  return {
    text: before + masked.slice(context.length),
    marks: [...(continued?.marks ?? []), ...marks],
    carry: open?.carry ?? carryAfter(masked, endsIn ?? UNKNOWN),
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
  const endingNow = isOpen ? follower.ending?.exec(whole)?.[0] : undefined;
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
  readonly carry: ChunkCarry;
}

/** The first introduction that is followed by nothing but its secret up to the end of the text. */
function findOpen(text: string): Open | undefined {
  // The signs of a shape are in its introduction, but for an address: there the sign comes after the secret.
  if (!mayHoldSecret(text) && !text.includes("://")) return undefined;
  let first: Open | undefined;
  for (const follower of FOLLOWERS) {
    const { shape, begins, ends, ending, unlike } = follower;
    begins.lastIndex = 0;
    for (let match = begins.exec(text); match !== null; match = begins.exec(text)) {
      const bodyStart = match.index + match[0].length;
      const run = runOf(follower, text, bodyStart);
      if (run < text.length) {
        // Another introduction inside the run stops where this one did; only one across its end may go further.
        begins.lastIndex = Math.max(bodyStart, run - LONGEST_BEGINNING, match.index + 1);
        continue;
      }
      const body = text.slice(bodyStart);
      if (ends?.test(body) === true) continue;
      const harmless = body !== "" && unlike?.test(body) === true;
      const start = harmless ? text.length : shape.introduced === true ? bodyStart : match.index;
      if (first !== undefined && first.span.start <= start) break;
      const span = { start, end: text.length, shape: shape.name };
      const begun = ending?.exec(body)?.[0];
      first = {
        span,
        carry:
          body === ""
            ? { tail: veil(match[0]) } // it may be longer: a space or a quote may follow
            : {
                inside: shape.name,
                seen: body.length,
                ...(harmless ? { shown: body.length } : {}),
                ...(begun === undefined ? {} : { ending: begun }),
              },
      };
      break;
    }
  }
  return first;
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

function carryAfter(masked: string, endsIn: string): ChunkCarry | undefined {
  if (masked.endsWith(MASK)) return { inside: endsIn, seen: 0 };
  const colour = COLOUR.exec(masked)?.[0];
  if (colour !== undefined) return { tail: colour };
  BEGINNING.lastIndex = Math.max(0, masked.length - LONGEST_BEGINNING);
  const begun = BEGINNING.exec(masked);
  if (begun !== null) {
    // The first letter may be the second half of an escape as well: `\n` and `npm_`.
    const slash = masked.charAt(begun.index - 1) === "\\" ? "\\" : "";
    return { tail: slash + veil(begun[0]) };
  }
  const last = masked.slice(-1);
  if (last === "\\") return { tail: last };
  // `\n` that is written as two characters ends a word, although it ends with a letter.
  if (masked.at(-2) === "\\" || !/\w/.test(last)) return undefined;
  return { after: /[A-Za-z]/.test(last) ? LETTER : WORD_CHARACTER };
}

/** Of numbers and of names in addresses only the length matters: they are nobody's business in the session's state. */
function veil(tail: string): string {
  return tail.replace(/^[0-9]+/, (digits) => "0".repeat(digits.length)).replace(/(?<=:\/\/)[^:]+/, (name) => "x".repeat(name.length));
}
