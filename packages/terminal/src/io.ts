import type { Readable } from "node:stream";

/** The streams that a command reads and writes: those of the process or of a test. */
export interface CommandIo {
  readonly stdin: Readable;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether a person watches each output stream, and whether colors are allowed. */
  readonly terminal: { readonly out: boolean; readonly err: boolean; readonly colour: boolean; readonly width: number };
}

/** Exit codes that scripts can rely on. */
export const EXIT = { ok: 0, found: 1, unusable: 2 } as const;
