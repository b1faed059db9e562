import type { IncomingHttpHeaders } from "node:http";

/** The head of a small request that posts something and wants nothing out of the ordinary. */
export interface PlainHead {
  readonly url: string;
  /** Each name once, in small letters; without the length, which is another each time. */
  readonly headers: IncomingHttpHeaders;
}

/** A head that was read, to compare the next one with: a program sends the same one again and again, but for the length. */
export interface ReadHead extends PlainHead {
  /** What stands before and after the digits of the length. */
  readonly before: string;
  readonly after: string;
}

export interface FoundHead {
  readonly head: ReadHead;
  /** Where the body begins, and how long it is. */
  readonly bodyAt: number;
  readonly size: number;
}

/** As long as `node:http` lets a head be. */
const LONGEST_HEAD = 16 * 1024;
/** A length of more digits is not for here. */
const MOST_DIGITS = 7;
const REQUEST_LINE = /^POST (\/[!-~]*) HTTP\/1\.1$/;
/** Nothing that anybody could read in another way: no folding, no control characters, nothing beyond ASCII. */
const HEADER_LINE = /^([\w!#$%&'*+.^`|~-]+):([ -~\t]*)$/;
const LENGTH_LINE = /\r\ncontent-length:[ \t]{0,8}(\d+)[ \t]{0,8}\r\n/i;
/** Who sends one of these is a page, or wants something that only `node:http` does. */
const UNUSUAL = ["origin", "sec-fetch-site", "content-encoding", "transfer-encoding", "trailer", "expect", "upgrade", "x-earshot-nonce"];

/** The head that a chunk begins with, where all of it is there and plain. Undefined otherwise: `node:http` knows more. */
export function readPlainHead(chunk: Buffer, last: ReadHead | undefined): FoundHead | undefined {
  return (last === undefined ? undefined : readSame(chunk, last)) ?? readNew(chunk);
}

function readSame(chunk: Buffer, last: ReadHead): FoundHead | undefined {
  const { before, after } = last;
  const text = chunk.toString("latin1", 0, Math.min(chunk.length, before.length + MOST_DIGITS + after.length));
  if (!text.startsWith(before)) return undefined;
  let size = 0;
  let at = before.length;
  for (let code = text.charCodeAt(at); code >= 48 && code <= 57; code = text.charCodeAt(++at)) size = size * 10 + code - 48;
  if (at === before.length || at > before.length + MOST_DIGITS || !text.startsWith(after, at)) return undefined;
  return { head: last, bodyAt: at + after.length, size };
}

function readNew(chunk: Buffer): FoundHead | undefined {
  const end = chunk.indexOf("\r\n\r\n", 0, "latin1");
  if (end < 0 || end > LONGEST_HEAD) return undefined;
  // Not a byte of the body: what is cut out of a text keeps all of it in memory, and this is kept as long as the connection.
  const text = chunk.toString("latin1", 0, end + 4);
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const url = REQUEST_LINE.exec(first)?.[1];
  const headers = readHeaders(lines);
  const length = LENGTH_LINE.exec(text.slice(0, end + 2));
  if (url === undefined || headers === undefined || length === null) return undefined;
  const digits = length[1] ?? "";
  if (digits.length > MOST_DIGITS) return undefined;
  const digitsAt = length.index + length[0].indexOf(digits);
  const head = { url, headers, before: text.slice(0, digitsAt), after: text.slice(digitsAt + digits.length, end + 4) };
  return { head, bodyAt: end + 4, size: Number(digits) };
}

function readHeaders(lines: readonly string[]): IncomingHttpHeaders | undefined {
  const headers: IncomingHttpHeaders = Object.create(null);
  for (const line of lines) {
    const [, name, value = ""] = HEADER_LINE.exec(line) ?? [];
    if (name === undefined) return undefined;
    const key = name.toLowerCase();
    if (key in headers) return undefined;
    headers[key] = value.trim(); // of blanks and tabs: there is nothing else that it could trim
  }
  const { host, connection = "keep-alive" } = headers;
  delete headers["content-length"];
  const isPlain = host !== undefined && connection.toLowerCase() === "keep-alive" && UNUSUAL.every((name) => headers[name] === undefined);
  return isPlain ? headers : undefined;
}
