import type { Activity } from "@earshot/protocol/activities";
import type { Announcement, AnnouncementSubject, SpokenNotice, Urgency } from "./announcement.ts";
import type { SettledRequest } from "./open-requests.ts";
import type { OutputBuffer } from "./output-buffer.ts";
import type { SessionTrack } from "./session-track.ts";

/** An announcement waiting on its own. */
export type BacklogItem = ItemBase & ({ readonly what: "activity"; activity: Activity } | Other);

type Other =
  | { readonly what: "settled"; readonly settled: SettledRequest }
  | { readonly what: "output"; readonly output: OutputBuffer }
  | { readonly what: "notice"; readonly notice: SpokenNotice }
  /** Interrupted, and repeated once. */
  | { readonly what: "again"; readonly announcement: Announcement };

/** An item without its place in the order. */
export type NewBacklogItem = BacklogItem extends infer Each
  ? Each extends BacklogItem
    ? Omit<Each, "order" | "at" | "readyAt">
    : never
  : never;

interface ItemBase {
  readonly lane: SessionTrack | undefined;
  readonly order: number;
  readonly at: number;
  readonly readyAt: number;
  readonly urgency: Exclude<Urgency, "critical">;
  readonly about: AnnouncementSubject;
  readonly worth: number;
}

const MAX_ITEMS = 16;
const MAX_OF_A_LANE = 4;
/** An estimate of two minutes of speech. Older items are no longer news. */
const MAX_WORDS = 300;
const USUAL_WORDS = 12;
const WORDS_OF_AN_ANSWER = 60;
/** An item older than this is counted in a summary instead of being announced in the present tense. */
export const MAX_ITEM_AGE_MS = 10_000;

/** Waiting items that are not critical, bounded by a few minutes of speech. */
export class AnnouncementBacklog {
  #items: BacklogItem[] = [];

  get items(): readonly BacklogItem[] {
    return this.#items;
  }

  add(item: BacklogItem): void {
    this.#items.push(item);
  }

  /** The next item, by urgency and then by age. */
  first(at: number): BacklogItem | undefined {
    let first: BacklogItem | undefined;
    for (const item of this.#items) {
      if (item.readyAt > at) continue;
      if (first === undefined || isBefore(item, first, at)) first = item;
    }
    return first;
  }

  remove(isMeant: (item: BacklogItem) => boolean): readonly BacklogItem[] {
    const removed = this.#items.filter(isMeant);
    if (removed.length > 0) this.#items = this.#items.filter((item) => !removed.includes(item));
    return removed;
  }

  /** Announces a call that waits to be announced as running, not as wanted. */
  markStarted(lane: SessionTrack, callId: string): void {
    for (const item of this.#items) {
      if (item.lane !== lane || item.what !== "activity" || item.activity.kind !== "tool.requested" || item.activity.callId !== callId)
        continue;
      item.activity = { ...item.activity, kind: "tool.started" };
    }
  }

  has(lane: SessionTrack): boolean {
    return this.#items.some((item) => item.lane === lane);
  }

  /** Removes overflow: from the session with most items, the least important and oldest one. */
  overflow(lane: SessionTrack | undefined): BacklogItem | undefined {
    const own = this.#of(lane);
    if (own.length > MAX_OF_A_LANE) return this.#takeLeast(own);
    const words = this.#items.reduce((sum, item) => sum + wordsOf(item), 0);
    if (this.#items.length <= MAX_ITEMS && words <= MAX_WORDS) return undefined;
    const counts = new Map<SessionTrack | undefined, number>();
    for (const item of this.#items) counts.set(item.lane, (counts.get(item.lane) ?? 0) + wordsOf(item));
    const [busiest] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most));
    return this.#takeLeast(this.#of(busiest));
  }

  #of(lane: SessionTrack | undefined): readonly BacklogItem[] {
    return this.#items.filter((item) => item.lane === lane);
  }

  #takeLeast(items: readonly BacklogItem[]): BacklogItem | undefined {
    const [first, ...others] = items;
    if (first === undefined) return undefined;
    const least = others.reduce((one, other) => (other.worth < one.worth ? other : one), first);
    this.remove((item) => item === least);
    return least;
  }
}

function wordsOf(item: BacklogItem): number {
  if (item.what === "output") return Math.max(USUAL_WORDS, item.output.waitingWords);
  return item.about === "output" ? WORDS_OF_AN_ANSWER : USUAL_WORDS;
}

/** Whether one item precedes another. */
export function isBefore(one: BacklogOrder, other: BacklogOrder, at: number): boolean {
  const difference = rank(one, at) - rank(other, at);
  return difference === 0 ? one.order < other.order : difference < 0;
}

export interface BacklogOrder {
  readonly urgency: Exclude<Urgency, "critical">;
  readonly at: number;
  readonly order: number;
}

function rank({ urgency, at: since }: BacklogOrder, at: number): number {
  return urgency === "normal" || at - since >= MAX_ITEM_AGE_MS ? 0 : 1;
}
