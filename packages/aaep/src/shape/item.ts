import type { Insight, Step } from "./insight.ts";
import type { TextItem } from "./text-item.ts";
import type { TextNode } from "./text-node.ts";

/** Something that waits to go out. In a session's queue, each stands where its last event was. */
export type Item = WholeItem | StateItem | TextItem;

/** What is remembered of an output, or of the progress of an agent, beyond what waits. */
export interface Stream {
  node: TextNode;
  sentAt: number;
  /** The last count of lanes that it was found in. */
  counted: number;
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
