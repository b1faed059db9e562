import type { Readable } from "node:stream";

/** Where a command reads and writes: the process's own streams, or a test's. */
export interface Io {
  readonly stdin: Readable;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether a person watches the output, and may see colours. */
  readonly terminal: { readonly out: boolean; readonly err: boolean; readonly colour: boolean; readonly width: number };
}

/** Exit codes that scripts can rely on. */
export const EXIT = { ok: 0, found: 1, unusable: 2 } as const;
