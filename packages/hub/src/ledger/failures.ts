import { EarshotError } from "@earshot/protocol/problem";
import { isFull } from "./sqlite/sqlite-error.ts";

/** What SQLite says, in the words of the contract. Its own words stay inside, as the cause. */
export function toLedgerFailure(error: unknown): EarshotError {
  if (EarshotError.is(error)) return error;
  return isFull(error)
    ? new EarshotError({ code: "STORAGE_FULL", message: "The disk is full: nothing of this was stored." }, { cause: error })
    : new EarshotError(
        { code: "LEDGER_UNAVAILABLE", message: "The ledger cannot be written: nothing of this was stored." },
        { cause: error },
      );
}
