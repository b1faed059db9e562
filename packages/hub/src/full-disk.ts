import { EarshotError } from "@earshot/protocol";
import { isDiskFullError } from "./ledger/sqlite/sqlite-error.ts";

/** Whether an error means that the disk is full, for any file. */
export function isFullDisk(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (isDiskFullError(cause)) return true;
    if ("code" in cause && (cause.code === "ENOSPC" || cause.code === "EDQUOT")) return true;
  }
  return false;
}

/** Explains a failed start on a full disk; returns other errors unchanged. */
export function explainFullDisk(error: unknown, folder: string): unknown {
  if (!isFullDisk(error)) return error;
  const message = `The disk of ${folder} is full: the hub cannot start.`;
  return new EarshotError(
    { code: "STORAGE_FULL", message, hint: "Nothing stored is lost. Free some space and start it again." },
    { cause: error },
  );
}
