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

/**
 * Where the events come from that a producer serves: the ledger of the hub, or the log of an agent that serves itself.
 * Bounded reads; nothing here throws for want of an event.
 */
export interface Feed {
  /** The position of the newest event; 0 without any. */
  head(): number;
  /** What follows a position, in order. */
  read(after: number, limit: number): Promise<FeedPage>;
  /** Calls back whenever there is more, at least once after each new event. Returns how to stop. */
  onMore(wake: () => void): () => void;
  /** Where an event is; undefined when it is not known, or not any more. */
  find(eventId: string): Promise<number | undefined>;
  /** An id that `find` takes for this position, for a stream that has shown no event with an id yet; undefined where there is none. */
  idAt(position: number): string | undefined;
  /** The sessions that are running, for whoever joins midway or has missed too much. */
  running(): Promise<readonly SessionNow[]>;
}

export interface FeedPage {
  readonly heard: readonly Heard[];
  /** Everything up to here was considered: ask for what follows this. */
  readonly upTo: number;
  /** Something after the position that was asked for is not kept any more. */
  readonly missed: boolean;
}

/** What B.1.5 asks to be summed up in a `state.changed` whose two states are the same. */
export interface SessionNow {
  readonly session: string;
  /** As in the envelope of its events. */
  readonly producer: { readonly agent_id: string; readonly agent_version?: string; readonly agent_name?: string };
  readonly state: string;
  /** In words; made from the state where nothing better is known. */
  readonly summary?: string;
  readonly language?: string;
  /** The position that this sums up. */
  readonly position: number;
  /** Its questions that still wait for an answer, as they were served: who joins midway may answer them too. */
  readonly asks?: readonly Heard[];
}
