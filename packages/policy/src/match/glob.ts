/** `*` for any run of characters, `?` for one, a backslash before either takes its meaning away. */
export interface Glob {
  readonly source: string;
  /** Without any wildcard: what it is. */
  readonly literal: string | undefined;
  readonly matches: (text: string, ignoreCase: boolean) => boolean;
  /** Tokens: a character, STAR or ANY. */
  readonly tokens: readonly string[];
}

export const STAR = "\u0001*";
export const ANY = "\u0001?";

export function readGlob(source: string): Glob {
  const tokens: string[] = [];
  const characters = [...source];
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index] ?? "";
    const next = characters[index + 1];
    if (character === "\\" && (next === "*" || next === "?" || next === "\\" || next === "<")) {
      tokens.push(next);
      index++;
    } else if (character === "*") {
      if (tokens.at(-1) !== STAR) tokens.push(STAR);
    } else tokens.push(character === "?" ? ANY : character);
  }
  const isLiteral = tokens.every((token) => token !== STAR && token !== ANY);
  const literal = isLiteral ? tokens.join("") : undefined;
  const small = tokens.map((token) => token.toLowerCase());
  return {
    source,
    literal,
    tokens,
    matches: (text, ignoreCase) => {
      if (literal !== undefined) return ignoreCase ? text.toLowerCase() === literal.toLowerCase() : text === literal;
      return ignoreCase ? matchTokens(small, [...text.toLowerCase()]) : matchTokens(tokens, [...text]);
    },
  };
}

/** One star is taken back at a time: the time is the product of the two lengths at worst, and both are bounded. */
function matchTokens(tokens: readonly string[], text: readonly string[]): boolean {
  let token = 0;
  let at = 0;
  let star = -1;
  let after = 0;
  while (at < text.length) {
    const wanted = tokens[token];
    if (wanted === STAR) {
      star = token++;
      after = at;
    } else if (wanted === ANY || (wanted !== undefined && wanted === text[at])) {
      token++;
      at++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++after;
    } else return false;
  }
  while (tokens[token] === STAR) token++;
  return token === tokens.length;
}

/**
 * Whether some text fits both a glob and a shape with unknown parts, each of which may be anything; `leading` says whether
 * an unknown part at the beginning may stand for a dot: a shell's star does not.
 */
export function mayMatch(
  tokens: readonly string[],
  shape: readonly string[],
  isUnknown: (mark: string) => boolean,
  leading: boolean,
): boolean {
  const seen = new Set<number>();
  const width = shape.length + 1;
  const visit = (token: number, at: number): boolean => {
    const key = token * width + at;
    if (seen.has(key)) return false;
    seen.add(key);
    const wanted = tokens[token];
    const mark = shape[at];
    if (wanted === undefined && mark === undefined) return true;
    if (wanted === STAR && (visit(token + 1, at) || (mark !== undefined && visit(token, at + 1)))) return true;
    if (mark !== undefined && isUnknown(mark)) {
      if (visit(token, at + 1)) return true;
      return wanted !== undefined && !(token === 0 && at === 0 && !leading && wanted === ".") && visit(token + 1, at);
    }
    if (wanted === undefined || mark === undefined || wanted === STAR) return false;
    return (wanted === ANY || wanted === mark) && visit(token + 1, at + 1);
  };
  return visit(0, 0);
}
