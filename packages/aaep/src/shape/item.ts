import type { EventFacts, StateStep } from "./event-facts.ts";
import { SHAPE_LIMITS } from "./limits.ts";
import type { TextItem } from "./text-item.ts";
import { NO_TEXT, type TextNode } from "./text-node.ts";

/** A waiting item. In a session's queue, its place is that of its last event. */
export type ShaperItem = WholeItem | StateItem | TextItem;

/** State of an output, or of an agent's progress, that outlives its waiting items. */
export interface StreamState {
  node: TextNode;
  sentAt: number;
}

/** An unchanged event. The next one replaces numeric progress. */
export interface WholeItem {
  readonly type: "whole" | "progress";
  readonly stream: StreamState | undefined;
  readonly insight: EventFacts;
  readonly since: number;
  /** Earliest time; 0 for at once. */
  notBefore: number;
  /** It has no position in the feed. */
  readonly isAside: boolean;
}

/** One or more merged state changes. */
export interface StateItem {
  readonly type: "state";
  readonly stream: undefined;
  /** The last change, whose words and time are used. */
  readonly insight: EventFacts;
  readonly first: number;
  readonly step: StateStep;
  readonly since: number;
  notBefore: number;
  readonly isAside: boolean;
}

/** The first position it holds. */
export function firstPositionOf(item: ShaperItem): number {
  return item.type === "text" || item.type === "state" ? item.first : item.insight.source.position;
}

/** Remembered outputs and progress, by lane. Bounded: the oldest are dropped. */
export class StreamTable {
  readonly #streams = new Map<string, StreamState>();

  of(lane: string): StreamState {
    let stream = this.#streams.get(lane);
    if (stream !== undefined) return stream;
    if (this.#streams.size >= SHAPE_LIMITS.streams) {
      const [oldest = ""] = this.#streams.keys();
      this.#streams.delete(oldest);
    }
    stream = { node: NO_TEXT, sentAt: Number.NEGATIVE_INFINITY };
    this.#streams.set(lane, stream);
    return stream;
  }

  forget(lane: string): void {
    this.#streams.delete(lane);
  }
}
