import type { Problem } from "@earshot/protocol";
import { refusedHeadOf, tooLarge } from "./held-bytes.ts";
import { decodeUtf8, EMPTY_ARRAY, EMPTY_BODY, type EventPiece, skipSpace, startsWithBom, toPiece, toRefusal } from "./piece.ts";

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BOM_BYTES = 3;

/** The form of a body: a single event is answered with its own verdict, the others with a list. */
export type BodyLayout = "single" | "array" | "lines";

/** The events of a JSON body: the elements of an array, or its single value. An empty body gives a refusal. */
export function splitJson(bytes: Buffer, maxEventBytes: number): { readonly layout: BodyLayout; readonly pieces: readonly EventPiece[] } {
  const first = skipSpace(bytes, startsWithBom(bytes) ? BOM_BYTES : 0);
  if (first === bytes.length) return { layout: "single", pieces: [toRefusal(EMPTY_BODY)] };
  if (bytes[first] !== OPEN_ARRAY) return { layout: "single", pieces: [toPiece(bytes, first, maxEventBytes)] };
  const pieces = splitArray(bytes, first, maxEventBytes);
  return { layout: "array", pieces: pieces.length === 0 ? [toRefusal(EMPTY_ARRAY)] : pieces };
}

type Expected = "first" | "value" | "separator" | "nothing";

/**
 * Splits an array into elements without parsing, so that each keeps its text. From damage on, everything is one refusal, because the
 * sender can send it again.
 */
function splitArray(bytes: Buffer, from: number, maxEventBytes: number): readonly EventPiece[] {
  const pieces: EventPiece[] = [];
  let expected: Expected = "first";
  let line = 1 + countLines(bytes, 0, from);
  let at = from + 1;
  const refuse = (message: string, rest: Buffer, hint?: string) => {
    const problem: Problem = { code: "NOT_JSON", message, ...(hint === undefined ? {} : { hint }) };
    pieces.push({ line, index: pieces.length, problem, head: refusedHeadOf(rest), sizeBytes: rest.length });
    return pieces;
  };
  for (;;) {
    const next = skipSpace(bytes, at);
    line += countLines(bytes, at, next);
    at = next;
    if (at === bytes.length) return expected === "nothing" ? pieces : refuse("The array has no end.", bytes.subarray(at));
    const byte = bytes[at] as number;
    const damage = damageBefore(byte, expected);
    if (damage !== undefined) return refuse(damage, bytes.subarray(at), "Nothing from here on was read. Send what follows again, as JSON.");
    if (byte === COMMA || byte === CLOSE_ARRAY) {
      expected = byte === COMMA ? "value" : "nothing";
      at++;
      continue;
    }
    const end = endOfValue(bytes, at);
    if (end < 0) return refuse("The event is cut off: it has no end.", bytes.subarray(at));
    pieces.push({ ...toElement(bytes.subarray(at, end), maxEventBytes), line, index: pieces.length });
    line += countLines(bytes, at, end);
    at = end;
    expected = "separator";
  }
}

function damageBefore(byte: number, expected: Expected): string | undefined {
  if (byte === COMMA) return expected === "separator" ? undefined : "A comma does not belong here.";
  if (byte === CLOSE_ARRAY && expected === "value") return "A comma stands before the end of the array.";
  if (byte === CLOSE_ARRAY) return expected === "nothing" ? "The array has ended already." : undefined;
  if (expected === "separator") return "A comma is missing before this value.";
  return expected === "nothing" ? "The array has ended before this value." : undefined;
}

/** The end of the value that starts here; -1 if there is none. Brackets inside strings do not count. */
function endOfValue(bytes: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      for (at++; bytes[at] !== QUOTE; at++) {
        if (bytes[at] === BACKSLASH) at++;
        if (at >= bytes.length) return -1;
      }
      if (depth === 0) return at + 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (depth === 0 && at > from) return at; // a word ends before a bracket
      depth++;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (depth === 0) return at === from ? at + 1 : at;
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && (byte === COMMA || (byte as number) <= 0x20)) return at;
  }
  return -1;
}

function toElement(bytes: Buffer, maxEventBytes: number): EventPiece {
  const { length: sizeBytes } = bytes;
  if (sizeBytes > maxEventBytes) return toRefusal(tooLarge("event", maxEventBytes), bytes);
  const text = decodeUtf8(bytes);
  return text === undefined
    ? toRefusal({ code: "NOT_UTF8", message: "The event is not UTF-8 text." }, bytes)
    : { line: 1, text, sizeBytes };
}

function countLines(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE, from); at >= 0 && at < to; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}
