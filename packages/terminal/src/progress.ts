import type { CommandIo } from "./io.ts";

export interface CommandProgress {
  readonly at: (file: string, bytes: number) => void;
  readonly end: () => void;
}

const FIRST_AFTER_MS = 1000;
const EVERY_MS = 500;

export interface ProgressLine {
  /** Shows the result of the function if an update is due. */
  readonly show: (text: () => string) => void;
  readonly end: () => void;
}

/**
 * One line on the terminal's error stream for operations longer than a second, rewritten in place and removed at the end. Without a
 * terminal it prints nothing, to keep it out of logs.
 */
export function createProgressLine(io: CommandIo): ProgressLine {
  if (!io.terminal.err) return { show: () => {}, end: () => {} };
  let shownAt = performance.now() + FIRST_AFTER_MS - EVERY_MS;
  let shown = false;
  return {
    show(text) {
      const now = performance.now();
      if (now - shownAt < EVERY_MS) return;
      shownAt = now;
      shown = true;
      io.err(`\r\u001b[K${text()}`);
    },
    end() {
      if (shown) io.err("\r\u001b[K");
      shown = false;
    },
  };
}

/** Shows how much of the files has been read. */
export function createProgress(io: CommandIo, totalBytes: number | undefined, doing = "Checking"): CommandProgress {
  const line = createProgressLine(io);
  const read = new Map<string, number>();
  return {
    at(file, bytes) {
      read.set(file, bytes);
      line.show(() => {
        let done = 0;
        for (const one of read.values()) done += one;
        const part =
          totalBytes === undefined || totalBytes === 0 ? `${Math.round(done / 1e6)} MB` : `${Math.floor((done / totalBytes) * 100)} %`;
        return `${doing}: ${part}`;
      });
    },
    end: line.end,
  };
}
