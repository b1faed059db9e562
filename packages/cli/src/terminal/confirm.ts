import { createInterface } from "node:readline/promises";
import type { Io } from "../io.ts";
import { hasKeyboard } from "./ask.ts";

/** Asks a person. Silence, and anything that is not a clear yes, is a no. */
export async function confirm(io: Io, question: string): Promise<boolean> {
  if (!hasKeyboard(io)) return false;
  io.err(`${question} [y/N] `);
  const lines = createInterface({ input: io.stdin });
  try {
    for await (const line of lines) return /^y(?:es)?$/i.test(line.trim());
    return false;
  } finally {
    lines.close();
  }
}
