/** A pattern in RE2's syntax, made ready. It takes time proportional to the text, whatever it looks like. */
export interface ReadyPattern {
  /** It matches from the first character to the last. */
  readonly whole: (text: string) => boolean;
  /** It matches somewhere. */
  readonly anywhere: (text: string) => boolean;
}

/** Compiles patterns; throws an Error that says what is wrong with one. Passed in, so that who has no patterns loads no engine. */
export type PatternEngine = (source: string) => ReadyPattern;
