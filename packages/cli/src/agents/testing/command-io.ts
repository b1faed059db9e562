import { PassThrough } from "node:stream";
import type { CommandIo } from "@earshot/terminal/io";

export interface CapturedIo extends CommandIo {
  readonly heard: { out: string; err: string };
}

/** A command's streams. With lines, a simulated person types one at each question. */
export function commandIo(lines?: readonly string[]): CapturedIo {
  const heard = { out: "", err: "" };
  const stdin = new PassThrough();
  const isPerson = lines !== undefined;
  if (isPerson) Object.assign(stdin, { isTTY: true, setRawMode: () => stdin });
  const left = [...(lines ?? [])];
  return {
    heard,
    stdin,
    out: (text) => {
      heard.out += text;
    },
    err: (text) => {
      heard.err += text;
      if (!/(?:: |\] )$/.test(text)) return;
      const line = left.shift();
      setImmediate(() => (line === undefined ? stdin.end() : stdin.write(`${line}\n`)));
    },
    terminal: { out: isPerson, err: isPerson, colour: false, width: 0 },
  };
}
