import { EarshotError } from "@earshot/protocol";
import { isFull } from "./ledger/sqlite/sqlite-error.ts";

/** Whether there was no room, for whichever file it was. */
export function isFullDisk(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (isFull(cause)) return true;
    if ("code" in cause && (cause.code === "ENOSPC" || cause.code === "EDQUOT")) return true;
  }
  return false;
}

/** Why the hub cannot start, when the reason is that there is no room; otherwise the error as it is. */
export function explainFullDisk(error: unknown, folder: string): unknown {
  if (!isFullDisk(error)) return error;
  const message = `The disk of ${folder} is full: the hub cannot start.`;
  return new EarshotError(
    { code: "STORAGE_FULL", message, hint: "Nothing stored is lost. Free some space and start it again." },
    { cause: error },
  );
}
