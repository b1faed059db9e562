import type { JsonObject } from "@earshot/protocol";
import type { Feed, FeedPage, SessionNow } from "../feed.ts";
import type { Heard } from "../heard.ts";
import { RunningSessions } from "./running-sessions.ts";
import { toHeard } from "./to-heard.ts";

export interface LogFeedOptions {
  readonly maxEvents?: number;
  /** Of the events as text. */
  readonly maxCharacters?: number;
}

/**
 * The events of an agent that serves itself, in memory: the newest ones, within bounds. Whoever asks for older ones is told
 * that something was missed.
 */
export class LogFeed implements Feed {
  readonly #maxEvents: number;
  readonly #maxCharacters: number;
  readonly #positions = new Map<string, number>();
  readonly #sessions = new RunningSessions();
  readonly #wakes = new Set<() => void>();
  /** Positions are dense: that of the first one kept is one more than how many were dropped. */
  #kept: Heard[] = [];
  #dropped = 0;
  #characters = 0;

  constructor({ maxEvents = 10_000, maxCharacters = 16 << 20 }: LogFeedOptions = {}) {
    this.#maxEvents = Math.max(1, maxEvents);
    this.#maxCharacters = maxCharacters;
  }

  append(event: JsonObject, text?: string): Heard {
    const heard = toHeard(this.head() + 1, event, text);
    this.#kept.push(heard);
    this.#characters += heard.text.length;
    this.#positions.set(heard.eventId, heard.position);
    this.#sessions.hear(heard);
    this.#trim();
    for (const wake of this.#wakes) wake();
    return heard;
  }

  head(): number {
    return this.#dropped + this.#kept.length;
  }

  read(after: number, limit: number): Promise<FeedPage> {
    const missed = after < this.#dropped;
    const start = Math.max(0, after - this.#dropped);
    const heard = this.#kept.slice(start, start + limit);
    return Promise.resolve({ heard, upTo: heard.at(-1)?.position ?? Math.max(after, this.#dropped), missed });
  }

  onMore(wake: () => void): () => void {
    // A function of its own each time: the same one may listen twice.
    const call = () => wake();
    this.#wakes.add(call);
    return () => this.#wakes.delete(call);
  }

  find(eventId: string): Promise<number | undefined> {
    return Promise.resolve(this.#positions.get(eventId));
  }

  running(): Promise<readonly SessionNow[]> {
    return Promise.resolve(this.#sessions.now());
  }

  /** A quarter at once, so that the list is not moved for every event. */
  #trim(): void {
    if (this.#kept.length <= this.#maxEvents && this.#characters <= this.#maxCharacters) return;
    let drop = Math.max(1, this.#kept.length - Math.ceil(this.#maxEvents * 0.75));
    for (let characters = 0, index = 0; index < this.#kept.length; index++) {
      if (this.#characters - characters <= this.#maxCharacters * 0.75 && index >= drop) break;
      characters += this.#kept[index]?.text.length ?? 0;
      drop = Math.max(drop, index + 1);
    }
    // The newest always stays: somebody is about to read it.
    drop = Math.min(drop, this.#kept.length - 1);
    for (const { eventId, position, text } of this.#kept.splice(0, drop)) {
      this.#characters -= text.length;
      if (this.#positions.get(eventId) === position) this.#positions.delete(eventId);
    }
    this.#dropped += drop;
  }
}
