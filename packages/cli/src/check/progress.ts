import type { Io } from "../io.ts";

export interface Progress {
  readonly at: (file: string, bytes: number) => void;
  readonly end: () => void;
}

const FIRST_AFTER_MS = 1000;
const EVERY_MS = 500;

/**
 * One line on the terminal's error stream for whatever takes longer than a second, rewritten in place and taken away at
 * the end. Without a terminal there is none: a log is no place for it.
 */
export function createProgress(io: Io, totalBytes: number | undefined): Progress {
  if (!io.terminal.err) return { at: () => {}, end: () => {} };
  const began = performance.now();
  let shownAt = began + FIRST_AFTER_MS - EVERY_MS;
  let shown = false;
  const read = new Map<string, number>();
  return {
    at(file, bytes) {
      read.set(file, bytes);
      const now = performance.now();
      if (now - shownAt < EVERY_MS) return;
      shownAt = now;
      shown = true;
      let done = 0;
      for (const one of read.values()) done += one;
      const part =
        totalBytes === undefined || totalBytes === 0 ? `${Math.round(done / 1e6)} MB` : `${Math.floor((done / totalBytes) * 100)} %`;
      io.err(`\r\u001b[KChecking: ${part}`);
    },
    end() {
      if (shown) io.err("\r\u001b[K");
    },
  };
}
