import type { Problem } from "@earshot/protocol";

/**
 * Receives what a splitter finds, in the order of the bytes: each event as text with the line on which it begins, or why
 * it cannot be read. A refusal comes with the first bytes of what was refused, for a log of refused things, and with its
 * whole size; `head` is a copy, so keeping it does not keep the chunk.
 */
export interface SplitterSink {
  hear(text: string, line: number, sizeBytes: number): void;
  refuse(problem: Problem, line: number, head: Buffer, sizeBytes: number): void;
}

/** As much of a refused thing as is handed on: enough to recognise it, too little to fill a disk with. */
export const REFUSED_HEAD_BYTES = 4096;

export function headOf(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, REFUSED_HEAD_BYTES));
}

export function tooLarge(what: string, maxBytes: number): Problem {
  return { code: "TOO_LARGE", message: `The ${what} has more than ${maxBytes.toLocaleString("en")} bytes.` };
}
