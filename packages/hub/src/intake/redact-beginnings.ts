/**
 * From the pattern of an introduction, the pattern of everything it may have begun with: for `gh[pousr]_` that is
 * `g`, `gh`, `gh[pousr]` and the whole. A text that ends so may go on as a secret in its next piece. No regular
 * expression engine here can say "it could still match", so the pattern is taken apart and put together again.
 *
 * Reads what the catalogue of shapes uses: characters, classes, escapes, `(?:…|…)`, `?`, `{m,n}` and assertions.
 */
export function beginningsOf(pattern: string): string {
  const reader: Reader = { pattern, at: 0 };
  return readAlternatives(reader).beginnings;
}

interface Reader {
  readonly pattern: string;
  at: number;
}

interface Part {
  readonly source: string;
  /** Everything it may have begun with; never matches nothing. Empty for an assertion, which takes no character. */
  readonly beginnings: string;
}

function readAlternatives(reader: Reader): Part {
  const start = reader.at;
  const alternatives: string[] = [];
  for (;;) {
    const beginnings = readSequence(reader);
    if (beginnings !== "") alternatives.push(beginnings);
    if (reader.pattern[reader.at] !== "|") break;
    reader.at++;
  }
  return { source: reader.pattern.slice(start, reader.at), beginnings: alternatives.length === 0 ? "" : `(?:${alternatives.join("|")})` };
}

function readSequence(reader: Reader): string {
  const parts: Part[] = [];
  while (reader.at < reader.pattern.length && !"|)".includes(reader.pattern.charAt(reader.at))) parts.push(readPart(reader));
  // From the end: what a part may have begun with, or the whole part and what the rest may have begun with.
  return parts.reduceRight((rest, { source, beginnings }) => {
    if (beginnings === "") return rest === "" ? "" : source + rest;
    return rest === "" ? beginnings : `(?:${beginnings}|${source}${rest})`;
  }, "");
}

const ASSERTION = /\(\?(?:<[!=]|[!=])/y;
const ATOM = /\[(?:\\.|[^\]\\])*\]|\\x[0-9a-fA-F]{2}|\\.|[^\\]/y;
const QUANTIFIER = /\?|\{\d+(?:,(\d*))?\}/y;

function readPart(reader: Reader): Part {
  const { pattern, at: start } = reader;
  if (take(ASSERTION, reader) !== undefined) {
    readAlternatives(reader);
    reader.at++;
    const source = pattern.slice(start, reader.at);
    // What follows is not there yet, so that nothing can be said about it.
    return { source: source.startsWith("(?<") ? source : "", beginnings: "" };
  }
  let part: Part;
  if (pattern.startsWith("(?:", reader.at)) {
    reader.at += 3;
    const { source, beginnings } = readAlternatives(reader);
    reader.at++;
    part = { source: `(?:${source})`, beginnings };
  } else {
    const source = take(ATOM, reader)?.[0] ?? "";
    part = { source, beginnings: source };
  }
  const quantifier = take(QUANTIFIER, reader);
  if (quantifier === undefined) return part;
  const source = part.source + quantifier[0];
  if (quantifier[0] === "?") return { source, beginnings: part.beginnings };
  return { source, beginnings: `${part.source}{1,${quantifier[1] ?? ""}}` };
}

function take(token: RegExp, reader: Reader): RegExpExecArray | undefined {
  token.lastIndex = reader.at;
  const match = token.exec(reader.pattern);
  if (match === null) return undefined;
  reader.at = token.lastIndex;
  return match;
}
