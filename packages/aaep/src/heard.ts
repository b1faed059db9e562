import type { JsonObject } from "@earshot/protocol";

/**
 * One AAEP event on its way to subscribers, read once and shared by all of them: whoever changes something makes a copy.
 * Positions only grow within a feed and need not be dense.
 */
export interface Heard {
  readonly position: number;
  readonly event: JsonObject;
  /** The event as compact JSON on one line. */
  readonly text: string;
  readonly eventId: string;
  /** In the compact form: `aaep:agent.tool.invoked`, `medai:patient.consulted`. */
  readonly type: string;
  readonly session: string;
  readonly agent: string;
  /** Delivered to everybody at once, whatever was negotiated. Of the four types that always are, whatever the event says. */
  readonly critical: boolean;
  /** Which of the three types that may be merged under pressure; undefined for all others. */
  readonly merges: "output" | "progress" | "state" | undefined;
}
