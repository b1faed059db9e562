import { EarshotError } from "@earshot/protocol/problem";

/** SQLite's primary result codes (the low byte of `errcode`) that are handled. */
export const SQLITE_CODES = {
  BUSY: 5,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  NOTADB: 26,
} as const;

/** The primary result code of a `node:sqlite` error; undefined for other errors. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return undefined;
  return error.errcode & 0xff;
}

/** The shared-memory file of the WAL could not grow for lack of space. */
const IOERR_SHMSIZE = 4874;

/** Whether SQLite found the disk full. */
export function isDiskFullError(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_CODES.FULL || (error instanceof Error && "errcode" in error && error.errcode === IOERR_SHMSIZE);
}

/** One sentence for the many errors of SQLite, Node and the operating system. */
export function reasonOfError(error: unknown): string {
  if (EarshotError.is(error)) return error.problem.message;
  return error instanceof Error ? error.message : String(error);
}
