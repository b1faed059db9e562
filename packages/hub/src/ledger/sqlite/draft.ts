import type { Problem } from "@earshot/protocol";
import type { Decision, NewRequest, SettleVerdict } from "../../request.ts";
import type { Count, Refusal } from "../ledger.ts";

/**
 * What one transaction is to write. It is drawn up where events are judged and carried out by the scribe, who has the file
 * open for writing, most often in another thread: plain data that can be posted.
 */
export interface Draft {
  readonly number: number;
  /** Drafts of an epoch stand on one another: once one of them could not be written, none of the later ones is. */
  readonly epoch: number;
  readonly sources: (readonly [key: number, protocol: string, name: string])[];
  readonly sessions: (readonly [key: number, source: number, id: string])[];
  /** Column after column, entry after entry: see `ENTRY_VALUES`. In order of position. */
  readonly entries: EntryValue[];
  readonly names: (readonly [source: number, name: string, agent: string, session: number, position: number])[];
  readonly requests: (NewRequest & { readonly position: number; readonly session: number; readonly openedAt: number })[];
  /** Each has a position of its own, between those of the entries. */
  readonly decisions: { readonly position: number; readonly at: number; readonly decision: Decision }[];
  readonly states: (readonly [session: number, position: number, state: string])[];
  readonly refusals: readonly Refusal[];
  readonly counts: readonly Count[];
  /** Whether all entries that are not filed yet begin to be filed with it: see registers.ts. It is done with the next such draft at the latest. */
  readonly files: boolean;
}

export type EntryValue = string | number | null | Uint8Array;

/** The columns of an entry in `Draft.entries`, in this order. Its hash is the scribe's to add. */
export const ENTRY_VALUES = [
  "position",
  "session",
  "received_at",
  "kind",
  "verified",
  "type",
  "agent",
  "sequence",
  "identity",
  "said",
  "notes",
  "text",
] as const;

/** What became of a draft. */
export type Written =
  | {
      readonly number: number;
      readonly ok: true;
      /** With its sync. */
      readonly tookMs: number;
      readonly settled: readonly SettledDecision[];
    }
  | { readonly number: number; readonly ok: false; readonly problem: Problem; readonly cause: string };

/** What became of a decision; where it was recorded, the entry too. */
export interface SettledDecision {
  readonly position: number;
  readonly verdict: SettleVerdict;
  readonly entry?: {
    readonly session: number;
    readonly kind: number;
    readonly type: string;
    readonly agent: string;
    readonly receivedAt: number;
    readonly text: string;
  };
}

export function openDraft(number: number, epoch: number): Draft {
  return {
    number,
    epoch,
    sources: [],
    sessions: [],
    entries: [],
    names: [],
    requests: [],
    decisions: [],
    states: [],
    refusals: [],
    counts: [],
    files: false,
  };
}
