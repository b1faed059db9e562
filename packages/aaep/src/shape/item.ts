import type { Insight, Step } from "./insight.ts";
import { SHAPE_LIMITS } from "./limits.ts";
import type { TextItem } from "./text-item.ts";
import { NO_TEXT, type TextNode } from "./text-node.ts";

/** Something that waits to go out. In a session's queue, each stands where its last event was. */
export type Item = WholeItem | StateItem | TextItem;

/** What is remembered of an output, or of the progress of an agent, beyond what waits. */
export interface Stream {
  node: TextNode;
  sentAt: number;
}

/** An event as it is. Progress in numbers gives way to the next one. */
export interface WholeItem {
  readonly type: "whole" | "progress";
  readonly stream: Stream | undefined;
  readonly insight: Insight;
  readonly since: number;
  /** Not before this; 0 for at once. */
  notBefore: number;
  /** It has no place of its own in the feed. */
  readonly isAside: boolean;
}

/** One or more changes of state, as one. */
export interface StateItem {
  readonly type: "state";
  readonly stream: undefined;
  /** The last change: its words and its time are told. */
  readonly insight: Insight;
  readonly first: number;
  readonly step: Step;
  readonly since: number;
  notBefore: number;
  readonly isAside: boolean;
}

/** The first position that it holds. */
export function firstOf(item: Item): number {
  return item.type === "text" || item.type === "state" ? item.first : item.insight.heard.position;
}

/** What is remembered of outputs and of progress, by lane. Bounded: what was heard of first is forgotten first. */
export class StreamTable {
  readonly #streams = new Map<string, Stream>();

  of(lane: string): Stream {
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
