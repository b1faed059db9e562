import { createInterface } from "node:readline/promises";
import type { Io } from "../io.ts";

/** Whether there is somebody who can be asked. */
export function canAsk({ stdin, terminal }: Io): boolean {
  return terminal.out && "isTTY" in stdin && stdin.isTTY === true;
}

/** Asks a person. Silence, and anything that is not a clear yes, is a no. */
export async function confirm(io: Io, question: string): Promise<boolean> {
  if (!canAsk(io)) return false;
  io.out(`${question} [y/N] `);
  const lines = createInterface({ input: io.stdin });
  try {
    for await (const line of lines) return /^y(?:es)?$/i.test(line.trim());
    return false;
  } finally {
    lines.close();
  }
}
