import type { Io } from "../io.ts";
import { plainText } from "../terminal/plain-text.ts";
import type { ImportResult } from "./import-file.ts";

export interface ImportProgress {
  readonly onProgress: (result: ImportResult, done: number) => void;
  readonly onWait: (why: string) => void;
  /** After each file. */
  readonly end: () => void;
}

const TERMINAL_EVERY_MS = 200;
const LOG_EVERY_MS = 10_000;

/** On a terminal one line that is rewritten in place; in a log a line now and then. */
export function createImportProgress(io: Io): ImportProgress {
  const onTerminal = io.terminal.err;
  const every = onTerminal ? TERMINAL_EVERY_MS : LOG_EVERY_MS;
  let toldAt = performance.now();
  let isShown = false;
  const tell = (text: string) => {
    toldAt = performance.now();
    isShown = onTerminal;
    io.err(onTerminal ? `\r\u001b[K${text}` : `${text}\n`);
  };
  return {
    onProgress({ file, events, stored, known }, done) {
      if (performance.now() - toldAt < every) return;
      const percent = done > 0 ? `${Math.floor(done * 100)} %, ` : "";
      tell(`${plainText(file)}: ${percent}${events.toLocaleString("en")} read, ${(stored + known).toLocaleString("en")} in the ledger`);
    },
    onWait: (why) => tell(`Waiting: ${plainText(why)}`),
    end() {
      if (isShown) io.err("\r\u001b[K");
      isShown = false;
    },
  };
}
