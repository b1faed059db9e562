import { EarshotError } from "@earshot/protocol/problem";

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

/** The file that readers and writers of the WAL share could not be made larger: there was no room for it. */
const IOERR_SHMSIZE = 4874;

/** Whether SQLite found the disk full. */
export function isFull(error: unknown): boolean {
  return sqliteCode(error) === SQLITE.FULL || (error instanceof Error && "errcode" in error && error.errcode === IOERR_SHMSIZE);
}

/** SQLite, Node or the operating system say in many ways what people need to hear in one sentence. */
export function reasonOf(error: unknown): string {
  if (EarshotError.is(error)) return error.problem.message;
  return error instanceof Error ? error.message : String(error);
}
