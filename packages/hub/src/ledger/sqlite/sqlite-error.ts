import { EarshotError } from "@earshot/protocol";

/** Primary result codes of SQLite (the low byte of `errcode`) that mean something to us. */
export const SQLITE = {
  BUSY: 5,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  NOTADB: 26,
} as const;

/** The primary result code of an error thrown by `node:sqlite`; undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return undefined;
  return error.errcode & 0xff;
}

/** SQLite, Node or the operating system say in many ways what people need to hear in one sentence. */
export function reasonOf(error: unknown): string {
  if (EarshotError.is(error)) return error.problem.message;
  return error instanceof Error ? error.message : String(error);
}
