import type { HubAccessControl } from "../access/access.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { LedgerValue, RERECORD_AFTER_MS } from "../own-entries.ts";

export interface RecordApproversOptions {
  readonly ledger: Ledger;
  readonly access: HubAccessControl;
  readonly now: () => number;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Records in the ledger which credentials may decide, and compares them at the start: the ledger is chained and signed with another key
 * than the credentials' file, so both would have to be forged. A hub killed between the two writes raises the alarm once without cause.
 */
export async function recordApprovers({ ledger, access, now, onFailure }: RecordApproversOptions): Promise<AsyncDisposable> {
  const own = await LedgerValue.open(ledger, "approvers");
  let recorded = own.value ?? "";
  const record = (isRepeated: boolean): void => {
    const approvers = access.approversDigest;
    if (approvers === recorded && !isRepeated) return;
    recorded = approvers;
    void own
      .change({ type: "access.approvers", by: "hub", now: now() }, () => ({ about: {}, value: access.approversDigest }))
      .catch(onFailure);
  };
  if (access.approversDigest !== recorded) {
    access.raise(
      "The credentials that may decide are not those that the ledger names. Check them: earshot device list, earshot token list.",
    );
  }
  record(now() - own.recordedAt > RERECORD_AFTER_MS);
  access.onChange = () => record(false);
  const again = setInterval(() => record(recorded !== ""), RERECORD_AFTER_MS).unref();
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(again);
      await own.close();
    },
  };
}
