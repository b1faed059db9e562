import type { JsonValue } from "@earshot/protocol";
import type { PutToRules } from "../policy/rules.ts";
import type { Request } from "../request.ts";
import type { Card } from "./card.ts";
import type { Machine } from "./machine-types.ts";

/** A request that this process carries, with what only it knows. */
export interface HeldRequest {
  readonly id: string;
  readonly card: Card;
  readonly digest: string;
  readonly openedAt: number;
  /** About how much memory it takes. */
  readonly sizeBytes: number;
  /** Names its session, among all sources. */
  readonly scope: string;
  machine: Machine;
  /** As the ledger has it; undefined until it is on disk. */
  row: Request | undefined;
  /** The input as the agent sent it. Gone after a restart, until the asker asks again; and when the request has ended long ago. */
  raw: { readonly input: JsonValue | undefined } | undefined;
  /** What the rules were asked about it, raw; at hand for as long as `raw` is. */
  put: PutToRules | undefined;
  /** What a rule puts in place of the input. */
  updatedInput: JsonValue | undefined;
  /** The event that asked, for AEP responses. */
  eventId: string;
  readonly waiting: Set<() => void>;
  decidedAt: number | undefined;
  decidedPosition: number | undefined;
  takenAt: number | undefined;
  outcome: string | undefined;
  /** The agent told of a question of its own about this. */
  isShownByAgent: boolean;
  alarm: string | undefined;
  /** Its session ended before it was confirmed to be stored: it is closed as soon as it is open. */
  hasSessionEnded?: true;
  /** How far the ledger was looked through for what came of it; undefined where this process has heard everything itself. */
  recalled: { readonly pages: number; readonly position: number } | undefined;
}

export function scopeOf(protocol: string, source: string, session: string): string {
  return JSON.stringify([protocol, source, session]);
}
