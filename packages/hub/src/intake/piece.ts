import { isAscii, isUtf8 } from "node:buffer";
import type { Problem } from "@earshot/protocol";
import { refusedHeadOf, tooLarge } from "./held-bytes.ts";

/** One event of a body as unparsed text, or why there is none. */
export type EventPiece = ReadablePiece | RefusedPiece;

interface Place {
  /** Its first line in the body, from 1; always 1 for a single event. */
  readonly line: number;
  /** Its index in an array, from 0. For damage between two elements, the index of the next one. */
  readonly index?: number;
  /** The whole size, including refused bytes. */
  readonly sizeBytes: number;
}

export interface ReadablePiece extends Place {
  readonly text: string;
}

export interface RefusedPiece extends Place {
  readonly problem: Problem;
  /** At most the first 4 KiB of what was refused. */
  readonly head: Buffer;
}

export const EMPTY_BODY: Problem = {
  code: "NOT_JSON",
  message: "The body is empty: there is no event in it.",
  hint: "Send one JSON object, a JSON array of them, or one on each line as application/x-ndjson.",
};

export const EMPTY_ARRAY: Problem = {
  code: "NOT_AN_OBJECT",
  message: "The array is empty: there is no event in it.",
  hint: "Send at least one event, or no request at all.",
};

/** A single event from `first` to the end of the bytes. */
export function toPiece(bytes: Buffer, first: number, maxBytes: number): EventPiece {
  // Measured before trimming, so that chunk borders make no difference.
  const restBytes = bytes.length - first;
  if (restBytes > maxBytes) return toRefusal(tooLarge("event", maxBytes), bytes.subarray(first), restBytes);
  let last = bytes.length;
  while (last > first && isSpace(bytes[last - 1])) last--;
  if (last === first) return toRefusal(EMPTY_BODY);
  const content = first === 0 && last === bytes.length ? bytes : bytes.subarray(first, last);
  const text = decodeUtf8(content);
  if (text === undefined) return toRefusal({ code: "NOT_UTF8", message: "The body is not UTF-8 text." }, content);
  return { line: 1, text, sizeBytes: content.length };
}

export function toRefusal(problem: Problem, bytes: Buffer = Buffer.alloc(0), sizeBytes: number = bytes.length): RefusedPiece {
  return { line: 1, problem, head: refusedHeadOf(bytes), sizeBytes };
}

export function startsWithBom(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Bytes as text, or undefined if they are not UTF-8. ASCII, the usual case, needs no decoding. */
export function decodeUtf8(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString("latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

/** Index of the first byte that is not white space, or the length. */
export function skipSpace(bytes: Buffer, from = 0): number {
  let index = from;
  while (isSpace(bytes[index])) index++;
  return index;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
