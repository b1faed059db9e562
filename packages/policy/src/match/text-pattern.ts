import type { TextPattern } from "../policy.ts";
import { readGlob } from "./glob.ts";

/** A pattern in RE2's syntax, made ready. It takes time proportional to the text, whatever it looks like. */
export interface ReadyPattern {
  /** It matches from the first character to the last. */
  readonly whole: (text: string) => boolean;
  /** It matches somewhere. */
  readonly anywhere: (text: string) => boolean;
}

/** Compiles patterns; throws an Error that says what is wrong with one. Passed in, so that a caller without patterns loads no engine. */
export type PatternEngine = (source: string) => ReadyPattern;

/** `broad`: for a rule that restricts; otherwise for one that lets through. */
export type TextTest = (text: string, broad: boolean) => boolean;

/** Longer texts are not names that anybody gave. */
const MAX_CHARACTERS = 8192;

/**
 * A rule that lets through reads its patterns narrowly: upper and lower case count, and a `regex` must fit from the first
 * character to the last. One that restricts ignores case, and a `regex` may fit anywhere.
 */
export function compileText(patterns: readonly TextPattern[], engine: PatternEngine | undefined): TextTest {
  const tests = patterns.map((pattern) => (typeof pattern === "string" ? readGlob(pattern).matches : compileRegex(pattern.regex, engine)));
  return (text, broad) => (text.length > MAX_CHARACTERS ? broad : tests.some((test) => test(text, broad)));
}

export function compileRegex(source: string, engine: PatternEngine | undefined): TextTest {
  // Without an engine nobody can tell: that restricts, and lets nothing through.
  if (engine === undefined) return (_text, broad) => broad;
  const pattern = engine(source);
  return (text, broad) => (broad ? pattern.anywhere(text) : pattern.whole(text));
}
