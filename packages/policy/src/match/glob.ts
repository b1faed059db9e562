/** `*` matches any run of characters, `?` one character; a backslash before either makes it literal. */
export interface Glob {
  /** The literal text, if there is no wildcard. */
  readonly literal: string | undefined;
  readonly matches: (text: string, ignoreCase: boolean) => boolean;
  /** A character, STAR or ANY; and the same in lowercase. */
  readonly tokens: readonly string[];
  readonly small: readonly string[];
}

const STAR = "\u0001*";
const ANY = "\u0001?";

export function readGlob(source: string): Glob {
  const tokens: string[] = [];
  for (const [token] of source.matchAll(/\\[*?\\<]|\*+|[\s\S]/gu))
    tokens.push(token.startsWith("*") ? STAR : token === "?" ? ANY : token.length > 1 && token.startsWith("\\") ? token.slice(1) : token);
  const literal = tokens.some((token) => token === STAR || token === ANY) ? undefined : tokens.join("");
  const small = tokens.map((token) => token.toLowerCase());
  return {
    literal,
    tokens,
    small,
    matches: (text, ignoreCase) => {
      if (literal !== undefined) return ignoreCase ? text.toLowerCase() === literal.toLowerCase() : text === literal;
      const [wanted, given] = ignoreCase ? [small, [...text.toLowerCase()]] : [tokens, [...text]];
      return matchSequence(
        wanted,
        given,
        (token) => token === STAR,
        (token, character) => token === ANY || token === character,
      );
    },
  };
}

/** The letters of a glob between its stars. */
export function lettersOf({ small }: Glob): readonly string[] {
  const pieces = small.map((token) => (token.length > 1 && token.startsWith("\u0001") ? "\u0001" : token)).join("");
  return pieces.split("\u0001").filter((piece) => piece !== "");
}

/**
 * Whether a pattern matches a whole sequence, where a star matches any number of its parts. It backtracks over one star at a time: the
 * worst-case time is the product of the two lengths, and both are bounded.
 */
export function matchSequence<Wanted, Part>(
  pattern: readonly Wanted[],
  parts: readonly Part[],
  isStar: (wanted: Wanted) => boolean,
  fits: (wanted: Wanted, part: Part) => boolean,
): boolean {
  let token = 0;
  let star = -1;
  let after = 0;
  for (let at = 0; at < parts.length; ) {
    const wanted = pattern[token];
    if (wanted !== undefined && isStar(wanted)) {
      star = token++;
      after = at;
    } else if (wanted !== undefined && fits(wanted, parts[at] as Part)) {
      token++;
      at++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++after;
    } else return false;
  }
  return pattern.slice(token).every(isStar);
}

/** A search that visits each pair of positions once; `visit` gets a function that continues from another pair. */
export function searchPairs(
  width: number,
  visit: (one: number, other: number, goOn: (one: number, other: number) => boolean) => boolean,
): boolean {
  const seen = new Set<number>();
  const goOn = (one: number, other: number): boolean => {
    const key = one * width + other;
    if (seen.has(key)) return false;
    seen.add(key);
    return visit(one, other, goOn);
  };
  return goOn(0, 0);
}

/**
 * Whether some text fits both a glob and a shape with unknown parts, each of which may be anything. `leading`: whether an unknown part at
 * the beginning may stand for a dot, which a shell's star does not.
 */
export function mayMatch(
  tokens: readonly string[],
  shape: readonly string[],
  isUnknown: (mark: string) => boolean,
  leading: boolean,
): boolean {
  return searchPairs(shape.length + 1, (token, at, goOn) => {
    const wanted = tokens[token];
    const mark = shape[at];
    if (wanted === undefined && mark === undefined) return true;
    if (wanted === STAR && (goOn(token + 1, at) || (mark !== undefined && goOn(token, at + 1)))) return true;
    if (mark !== undefined && isUnknown(mark)) {
      const isHiddenDot = token === 0 && at === 0 && !leading && wanted === ".";
      return goOn(token, at + 1) || (wanted !== undefined && !isHiddenDot && goOn(token + 1, at));
    }
    if (wanted === undefined || mark === undefined || wanted === STAR) return false;
    return (wanted === ANY || wanted === mark) && goOn(token + 1, at + 1);
  });
}
