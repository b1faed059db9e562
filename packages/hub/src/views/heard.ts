import type { ProtocolName } from "@earshot/protocol";
import type { Activity } from "@earshot/translate";
import type { Entry } from "../ledger/ledger.ts";
import type { Place } from "./place.ts";

/** An entry of the ledger as the views hear it: what it means, and what the ledger wrote beside it. */
export interface Heard extends Place {
  readonly receivedAt: number;
  readonly kind: Entry["kind"];
  readonly verified: boolean;
  readonly agent: string;
  readonly flags: Entry["flags"];
  readonly activities: readonly Activity[];
}

/** A session, with the key that the ledger knows it by. Ids belong to their sources. */
export interface SessionName {
  readonly key: number;
  readonly protocol: ProtocolName;
  readonly source: string;
  readonly id: string;
}
