import type { TextPattern } from "../policy.ts";
import { readGlob } from "./glob.ts";

/** A compiled pattern in RE2's syntax. Matching takes time proportional to the text, whatever the pattern. */
export interface ReadyPattern {
  /** Whether it matches from the first character to the last. */
  readonly whole: (text: string) => boolean;
  /** Whether it matches anywhere in the text. */
  readonly anywhere: (text: string) => boolean;
}

/**
 * Compiles patterns; throws an Error that describes the problem of an invalid one. Injected, so that a caller without patterns loads no
 * engine.
 */
export type PatternEngine = (source: string) => ReadyPattern;

/** `broad`: for a restrictive rule; otherwise for a permissive one. */
export type TextTest = (text: string, broad: boolean) => boolean;

/** Longer texts are not real names. */
const MAX_CHARACTERS = 8192;

/**
 * A permissive rule reads its patterns narrowly: they are case-sensitive, and a `regex` must match the whole text. A restrictive rule
 * ignores case, and a `regex` may match anywhere.
 */
export function compileText(patterns: readonly TextPattern[], engine: PatternEngine | undefined): TextTest {
  const tests = patterns.map((pattern) => (typeof pattern === "string" ? readGlob(pattern).matches : compileRegex(pattern.regex, engine)));
  return (text, broad) => (text.length > MAX_CHARACTERS ? broad : tests.some((test) => test(text, broad)));
}

export function compileRegex(source: string, engine: PatternEngine | undefined): TextTest {
  // Without an engine the result is unknown: a restrictive rule matches, a permissive one does not.
  if (engine === undefined) return (_text, broad) => broad;
  const pattern = engine(source);
  return (text, broad) => (broad ? pattern.anywhere(text) : pattern.whole(text));
}
