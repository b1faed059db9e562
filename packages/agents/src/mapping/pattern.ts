import { isWordUnit, type PatternNode, parsePattern } from "./pattern-parser.ts";

const MAX_STEPS = 2000;
const MAX_PATTERN = 500;
/** Only this many characters of a longer text are searched. */
const MAX_TEXT = 8192;

type Step =
  | { readonly does: "read"; readonly test: (code: number) => boolean }
  | { readonly does: "check"; readonly at: "start" | "end" | "word" }
  | { readonly does: "fork"; to: readonly number[] }
  | { readonly does: "match" };

/**
 * Compiles a pattern into a matcher that runs in time proportional to the text. It follows all possible matches at once (Thompson's
 * construction), so no pattern in a file can stall the reader. Undefined for a pattern that is invalid or too large.
 */
export function createPattern(text: string): ((subject: string) => boolean) | undefined {
  const tree = text.length > MAX_PATTERN ? undefined : parsePattern(text);
  if (tree === undefined) return undefined;
  const steps: Step[] = [];
  if (!append(tree, steps)) return undefined;
  steps.push({ does: "match" });
  return (subject) => search(steps, subject);
}

function append(part: PatternNode, steps: Step[]): boolean {
  if (steps.length > MAX_STEPS) return false;
  switch (part.is) {
    case "one":
      steps.push({ does: "read", test: part.test });
      return true;
    case "edge":
      steps.push({ does: "check", at: part.at });
      return true;
    case "row":
      return part.parts.every((inner) => append(inner, steps));
    case "either":
      return appendEither(part.parts, steps);
    case "repeat":
      return appendRepeat(part, steps);
  }
}

function appendEither(parts: readonly PatternNode[], steps: Step[]): boolean {
  const fork: Step = { does: "fork", to: [] };
  steps.push(fork);
  const begins: number[] = [];
  const ends: { to: readonly number[] }[] = [];
  for (const part of parts) {
    begins.push(steps.length);
    if (!append(part, steps)) return false;
    const end: Step = { does: "fork", to: [] };
    steps.push(end);
    ends.push(end);
  }
  fork.to = begins;
  for (const end of ends) end.to = [steps.length];
  return true;
}

function appendRepeat({ part, least, most }: Extract<PatternNode, { is: "repeat" }>, steps: Step[]): boolean {
  for (let count = 0; count < least; count++) if (!append(part, steps)) return false;
  if (most === Number.POSITIVE_INFINITY) {
    const fork: Step = { does: "fork", to: [] };
    const at = steps.push(fork) - 1;
    if (!append(part, steps)) return false;
    steps.push({ does: "fork", to: [at] });
    fork.to = [at + 1, steps.length];
    return true;
  }
  for (let count = least; count < most; count++) {
    const fork: Step = { does: "fork", to: [] };
    const at = steps.push(fork) - 1;
    if (!append(part, steps)) return false;
    fork.to = [at + 1, steps.length];
  }
  return true;
}

function search(steps: readonly Step[], subject: string): boolean {
  const length = Math.min(subject.length, MAX_TEXT);
  let now: number[] = [];
  for (let at = 0; at <= length; at++) {
    const reached = new Set<number>();
    const reading: number[] = [];
    // A match may begin anywhere.
    for (const step of [...now, 0]) if (follow(step, steps, { subject, at, length, reached, reading })) return true;
    if (at === length) return false;
    const code = subject.charCodeAt(at);
    now = [];
    for (const index of reading) {
      const step = steps[index];
      if (step?.does === "read" && step.test(code)) now.push(index + 1);
    }
  }
  return false;
}

interface Place {
  readonly subject: string;
  readonly at: number;
  readonly length: number;
  readonly reached: Set<number>;
  readonly reading: number[];
}

/** Advances to every step that reads a character. Returns true when the pattern's end was reached. */
function follow(from: number, steps: readonly Step[], place: Place): boolean {
  const open = [from];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    if (place.reached.has(index)) continue;
    place.reached.add(index);
    const step = steps[index];
    if (step === undefined || step.does === "match") return true;
    if (step.does === "read") place.reading.push(index);
    else if (step.does === "fork") open.push(...step.to);
    else if (holds(step.at, place)) open.push(index + 1);
  }
  return false;
}

function holds(edge: "start" | "end" | "word", { subject, at, length }: Place): boolean {
  if (edge === "start") return at === 0;
  if (edge === "end") return at === subject.length;
  const before = at > 0 && isWordUnit(subject.charCodeAt(at - 1));
  return before !== (at < length && isWordUnit(subject.charCodeAt(at)));
}
