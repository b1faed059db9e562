import type { JsonObject } from "@earshot/protocol";

/**
 * An AAEP event for subscribers, parsed once and shared by all of them: copy it before changing it. Positions only grow within a feed and
 * may have gaps.
 */
export interface FeedEvent {
  readonly position: number;
  readonly event: JsonObject;
  /** The event as compact JSON on one line. */
  readonly text: string;
  readonly eventId: string;
  /** In the compact form: `aaep:agent.tool.invoked`, `medai:patient.consulted`. */
  readonly type: string;
  readonly session: string;
  readonly agent: string;
  /** Delivered to every subscriber at once, whatever was negotiated. Always set for the four critical types. */
  readonly critical: boolean;
  /** Which of the three mergeable types it is; undefined for all others. */
  readonly merges: "output" | "progress" | "state" | undefined;
}

/**
 * The source of a producer's events: the hub's ledger, or the log of an agent that serves itself. Reads are bounded and do not throw for
 * a missing event.
 */
export interface Feed {
  /** The position of the newest event; 0 without any. */
  head(): number;
  /** The events after a position, in order. */
  read(after: number, limit: number): Promise<FeedPage>;
  /** Calls `wake` at least once after each new event. Returns the function that stops it. */
  onMore(wake: () => void): () => void;
  /** The position of an event; undefined if unknown or no longer kept. */
  find(eventId: string): Promise<number | undefined>;
  /** An id that `find` accepts for this position, for streams without an event id so far; undefined if there is none. */
  idAt(position: number): string | undefined;
  /** The running sessions, for subscribers that join midway or missed too much. */
  running(): Promise<readonly SessionSummaryState[]>;
}

export interface FeedPage {
  readonly heard: readonly FeedEvent[];
  /** Everything up to here was considered; read on after it. */
  readonly upTo: number;
  /** Events after the requested position are no longer kept. */
  readonly missed: boolean;
}

/** The content of the summary that B.1.5 requires: a `state.changed` with two equal states. */
export interface SessionSummaryState {
  readonly session: string;
  /** As in the envelope of its events. */
  readonly producer: { readonly agent_id: string; readonly agent_version?: string; readonly agent_name?: string };
  readonly state: string;
  /** In words; derived from the state if there is no better text. */
  readonly summary?: string;
  readonly language?: string;
  /** The position it includes. */
  readonly position: number;
  /** Its open questions as they were served: subscribers that join midway may answer them too. */
  readonly asks?: readonly FeedEvent[];
}
