import { readTimestamp } from "@earshot/protocol";
import { isTerminalType } from "@earshot/protocol/aaep-names";
import { deriveEventFacts, type EventFacts } from "./event-facts.ts";
import type { ShaperItem, StateItem, WholeItem } from "./item.ts";
import { summarizeItems } from "./summary.ts";
import { TextItem } from "./text-item.ts";

/** Merges two state changes in the words of the later one. */
export function mergeStates(earlier: StateItem, later: StateItem): StateItem {
  const { insight, notBefore } = later;
  const step = { from: earlier.step.from, to: later.step.to, isBackground: later.step.isBackground };
  return { type: "state", stream: undefined, insight, first: earlier.first, step, since: earlier.since, notBefore, isAside: false };
}

/**
 * The waiting items of one session, by their last event. Text before a boundary may be overtaken by progress and other outputs; any other
 * event ends it. Nothing but text is ever overtaken.
 */
export class SessionQueue {
  readonly session: string;
  readonly items: ShaperItem[] = [];
  /** Number of leading items that are sent without waiting: up to the last critical one. */
  urgent = 0;
  /** The latest time sent while text waited, and its spelling. */
  #lastStateMs = Number.NEGATIVE_INFINITY;
  #lastState = "";

  constructor(session: string) {
    this.session = session;
  }

  /** The output a chunk continues; undefined when it starts a new item. */
  findText(insight: EventFacts): TextItem | undefined {
    for (let index = this.items.length - 1; index >= this.urgent; index--) {
      const item = this.items[index];
      if (item?.type === "progress") continue;
      if (item?.type !== "text") return undefined;
      if (item.lane === insight.lane) return item;
    }
    return undefined;
  }

  /** The last state change, if only progress followed it. */
  findState(): StateItem | undefined {
    for (let index = this.items.length - 1; index >= this.urgent; index--) {
      const item = this.items[index];
      if (item?.type === "progress") continue;
      return item?.type === "state" ? item : undefined;
    }
    return undefined;
  }

  findProgress(insight: EventFacts): WholeItem | undefined {
    for (let index = this.items.length - 1; index >= this.urgent; index--) {
      const item = this.items[index];
      if (item?.type === "progress" && item.insight.lane === insight.lane && item.insight.isRoughlyLike(insight)) return item;
    }
    return undefined;
  }

  /** The last progress in words, if only numeric progress followed it. */
  findRemark(insight: EventFacts): ShaperItem | undefined {
    for (let index = this.items.length - 1; index >= this.urgent; index--) {
      const item = this.items[index];
      if (item?.type === "progress") continue;
      return item?.insight.isRemark === true && !item.isAside && item.insight.isRoughlyLike(insight) ? item : undefined;
    }
    return undefined;
  }

  remove(item: ShaperItem): void {
    const index = this.items.indexOf(item);
    if (index < 0) return;
    this.items.splice(index, 1);
    if (index < this.urgent) this.urgent--;
  }

  /** Moves an item to the place of its last event. */
  moveToEnd(item: ShaperItem): void {
    this.remove(item);
    this.items.push(item);
  }

  /** Reduces the items before all are sent at once: drops progress, and merges state changes up to other statements about the state. */
  condense(): void {
    const kept: ShaperItem[] = [];
    /** By agent: each has its own states. */
    const states = new Map<string, StateItem>();
    // From the end: a change is merged into the one that follows it.
    for (const item of this.items.slice(this.urgent).reverse()) {
      const { source: heard } = item.insight;
      if (item.type === "progress") continue;
      if (item.type === "whole" && heard.merges === "state") states.delete(heard.agent);
      const later = item.type === "state" ? states.get(heard.agent) : undefined;
      if (item.type !== "state") kept.push(item);
      else if (later === undefined || !later.insight.isRoughlyLike(item.insight)) {
        states.set(heard.agent, item);
        kept.push(item);
      } else {
        const merged = mergeStates(item, later);
        states.set(heard.agent, merged);
        kept[kept.indexOf(later)] = merged;
      }
    }
    this.items.splice(
      this.urgent,
      this.items.length,
      ...kept.reverse().filter((item) => item.type !== "state" || item.step.from !== item.step.to),
    );
  }

  /** Number of items waiting for the rate. */
  get waiting(): number {
    return this.items.length - this.urgent;
  }

  get textLength(): number {
    return this.items.reduce((length, item) => length + (item.type === "text" ? item.length : 0), 0);
  }

  /** Replaces items that wait for the rate by one state change (B.1.5). The session's end and critical events are kept. */
  sumUp(): void {
    const waiting = this.items.slice(this.urgent);
    const kept = waiting.filter(({ insight: { source: heard }, isAside }) => heard.critical || isAside || isTerminalType(heard.type));
    const dropped = waiting.filter((item) => !kept.includes(item));
    const [first, ...more] = dropped;
    if (first === undefined) return;
    // For a single waiting event a summary would be no shorter.
    const insight = more.length === 0 ? undefined : deriveEventFacts(summarizeItems(dropped));
    const summary: readonly WholeItem[] =
      insight === undefined ? [] : [{ type: "whole", stream: undefined, insight, since: first.since, notBefore: 0, isAside: false }];
    this.items.splice(this.urgent, waiting.length, ...summary, ...kept);
  }

  /** The next event must not overtake waiting text. */
  conclude(): void {
    for (let index = this.items.length - 1; index >= 0; index--) {
      const item = this.items[index];
      if (item?.type === "whole") return;
      if (item?.type === "text") item.isEnded = true;
      if (item?.type === "state") item.notBefore = 0;
    }
  }

  /** Records the time of sent events while older ones may follow. */
  noteSent({ source: heard }: EventFacts): void {
    if (!this.items.some((item) => item instanceof TextItem)) return;
    const stamp = heard.event["timestamp"];
    const ms = typeof stamp === "string" ? readTimestamp(stamp)?.ms : undefined;
    if (typeof stamp !== "string" || ms === undefined || ms <= this.#lastStateMs) return;
    this.#lastStateMs = ms;
    this.#lastState = stamp;
  }

  /** The time to send with a text: its own, unless a later one was sent meanwhile. */
  stampFor({ source: heard }: EventFacts): unknown {
    const own = heard.event["timestamp"];
    if (this.#lastState === "" || typeof own !== "string") return own;
    const ms = readTimestamp(own)?.ms;
    return ms !== undefined && ms < this.#lastStateMs ? this.#lastState : own;
  }
}
