import { createInterface } from "node:readline/promises";
import type { ReadStream } from "node:tty";
import type { CommandIo } from "@earshot/terminal/io";

/** Whether a person is at the keyboard: piped input does not count. */
export function hasKeyboard({ stdin, terminal }: CommandIo): boolean {
  return (stdin as Partial<ReadStream>).isTTY === true && terminal.err;
}

export interface AskLineOptions {
  readonly hidden?: boolean;
  /** Cancels the question. */
  readonly signal?: AbortSignal;
}

/** Asks for one line. `hidden`: the input is not shown. Undefined when the person gives up (Ctrl-C, Ctrl-D). */
export async function askLine(
  io: CommandIo,
  question: string,
  { hidden = false, signal }: AskLineOptions = {},
): Promise<string | undefined> {
  const stdin = io.stdin as ReadStream;
  // Set before the question appears, so that a PIN typed early is not shown.
  stdin.setRawMode(true);
  io.err(question);
  stdin.setEncoding("utf8");
  stdin.resume();
  try {
    return await new Promise<string | undefined>((resolve) => {
      let line: readonly string[] = [];
      const done = (answer: string | undefined) => {
        stdin.off("data", take);
        stdin.off("end", give);
        signal?.removeEventListener("abort", give);
        resolve(answer);
      };
      const give = () => done(undefined);
      const take = (text: string) => {
        for (const character of text) {
          if (character === "\r" || character === "\n") return done(line.join(""));
          if (character === "\u0003" || (character === "\u0004" && line.length === 0)) return done(undefined);
          if (character === "\u007f" || character === "\b") {
            if (line.length > 0 && !hidden) io.err("\b \b");
            line = line.slice(0, -1);
          } else if (character >= " ") {
            line = [...line, character];
            if (!hidden) io.err(character);
          }
        }
      };
      stdin.on("data", take);
      stdin.once("end", give);
      signal?.addEventListener("abort", give);
    });
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    io.err("\n");
  }
}

/** The first line of piped input, for a person's scripts. */
export async function readFirstLine({ stdin }: CommandIo): Promise<string> {
  let text = "";
  for await (const chunk of stdin as AsyncIterable<Buffer | string>) {
    text += chunk.toString();
    if (text.includes("\n") || text.length > 4096) break;
  }
  return text.split(/\r?\n/, 1)[0] ?? "";
}

/** Asks for confirmation. Anything but a clear yes, including silence, is a no. */
export async function confirmYes(io: CommandIo, question: string): Promise<boolean> {
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
