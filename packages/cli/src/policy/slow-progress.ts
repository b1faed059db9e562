import type { Io } from "../io.ts";

const FIRST_AFTER_MS = 1000;
const EVERY_MS = 3000;

/** A line now and then for what takes longer than a second. None is rewritten; where nobody watches there are none. */
export function slowProgress({ terminal, err }: Io, doing: string): (part: number) => void {
  if (!terminal.err) return () => {};
  let tellAt = performance.now() + FIRST_AFTER_MS;
  return (part) => {
    const now = performance.now();
    if (now < tellAt) return;
    tellAt = now + EVERY_MS;
    err(`${doing}: ${Math.floor(part * 100)} %\n`);
  };
}
