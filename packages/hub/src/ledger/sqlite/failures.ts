import { EarshotError } from "@earshot/protocol";

const FULL = 13;

/** What SQLite says, in the words of the contract. Its own words stay inside, as the cause. */
export function toLedgerFailure(error: unknown): EarshotError {
  if (EarshotError.is(error)) return error;
  const code = typeof error === "object" && error !== null && "errcode" in error && typeof error.errcode === "number" ? error.errcode : 0;
  return (code & 0xff) === FULL
    ? new EarshotError({ code: "STORAGE_FULL", message: "The disk is full: nothing of this was stored." }, { cause: error })
    : new EarshotError(
        { code: "LEDGER_UNAVAILABLE", message: "The ledger cannot be written: nothing of this was stored." },
        { cause: error },
      );
}
