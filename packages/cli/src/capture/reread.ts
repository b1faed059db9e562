import { createReadStream } from "node:fs";
import { LineSplitter } from "@earshot/hub/splitters";

/** Longer lines are no events. */
export const LONGEST_LINE = 16 * 1024 * 1024;

/** The lines of a recording between two bytes, at which lines begin. */
export async function reread(path: string, from: number, to: number, hear: (text: string) => void): Promise<void> {
  if (from >= to) return;
  const lines = new LineSplitter({ hear, refuse: () => {} }, { maxBytes: LONGEST_LINE });
  for await (const chunk of createReadStream(path, { start: from, end: to - 1 }) as AsyncIterable<Buffer>) lines.write(chunk);
  lines.end();
}
