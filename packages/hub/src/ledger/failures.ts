import { EarshotError } from "@earshot/protocol/problem";
import { isDiskFullError } from "./sqlite/sqlite-error.ts";

/** Converts SQLite errors to those of the contract, with the original as the cause. */
export function toLedgerFailure(error: unknown): EarshotError {
  if (EarshotError.is(error)) return error;
  return isDiskFullError(error)
    ? new EarshotError({ code: "STORAGE_FULL", message: "The disk is full: nothing of this was stored." }, { cause: error })
    : new EarshotError(
        { code: "LEDGER_UNAVAILABLE", message: "The ledger cannot be written: nothing of this was stored." },
        { cause: error },
      );
}
