import { HashTable, hashText } from "../hash-table.ts";

/** An event as far as a response to it is concerned. */
export interface Request {
  readonly at: number;
  /** Key of its session; undefined for an event outside of any. */
  readonly session: string | undefined;
  readonly actionId: string | undefined;
  /** The first answer. */
  behavior: string | undefined;
  answeredAt: number;
  /** Two agents used the id, and a response does not say which of them it answers. */
  ambiguous: boolean;
}

/** How many events can still be answered for certain; older ones are known by their id alone. */
const ANSWERABLE = 32_768;

/**
 * The events that a response may name: the last ones in full, the ids of all of them as hashes. Two generations of maps,
 * because taking the oldest key out of one map walks over every key taken out before.
 */
export class Requests {
  #young = new Map<string, Request>();
  #old = new Map<string, Request>();
  readonly #ids: HashTable;

  constructor(idCapacity: number) {
    this.#ids = new HashTable(idCapacity);
  }

  keep(eventId: string, request: Request): void {
    const former = this.get(eventId);
    if (former !== undefined) {
      former.ambiguous = true;
      return;
    }
    if (this.#young.size >= ANSWERABLE) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(eventId, request);
    this.keepId(eventId);
  }

  /** For events that no hook waits on: known to exist, and no more. */
  keepId(eventId: string): void {
    this.#ids.add(hashText(eventId, 0x6a09e667), hashText(eventId, 0xbb67ae85 | 0), 1);
  }

  get(eventId: string): Request | undefined {
    return this.#young.get(eventId) ?? this.#old.get(eventId);
  }

  /** Whether the event may have been heard; certain as long as no id had to be forgotten. */
  mayKnow(eventId: string): boolean {
    return this.#ids.forgotten > 0 || this.#ids.get(hashText(eventId, 0x6a09e667), hashText(eventId, 0xbb67ae85 | 0)) !== undefined;
  }
}
