import { hashContent } from "@earshot/protocol/json";
import type { Incoming } from "./incoming.ts";

/** So many events are remembered for certain, and at most twice as many. */
const CAPACITY = 10_000;

/**
 * Which events were heard already: producers may say the same again. Bounded: two generations, the older of which is
 * forgotten as a whole.
 */
export class RecentEvents {
  readonly #capacity: number;
  #young = new Map<string, number>();
  #old = new Map<string, number>();

  constructor(capacity = CAPACITY) {
    this.#capacity = capacity;
  }

  /** `new` at most once for each event; `conflict` where its id was used for another content. */
  hear({ agent, eventId, event }: Incoming): "new" | "again" | "conflict" {
    const key = `${eventId} ${agent}`; // an event id has no space in it
    const hash = hashContent(event);
    const known = this.#young.get(key) ?? this.#old.get(key);
    if (known !== undefined) return known === hash ? "again" : "conflict";
    if (this.#young.size >= this.#capacity) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, hash);
    return "new";
  }
}
