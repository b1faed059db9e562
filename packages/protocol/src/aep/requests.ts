import { brief } from "../brief.ts";
import type { Answered } from "./join.ts";

export interface Request extends Answered {
  /** Key of its session; undefined for an event outside of any. */
  readonly session: string | undefined;
  /** The id was used twice, perhaps by two agents, and a response does not say which of them it answers. */
  ambiguous: boolean;
}

/** How many events can still be answered for certain. */
const ANSWERABLE = 8192;

/**
 * The events that a response may name, the last ones only: a hook waits for minutes, not for days. Two generations of
 * maps, because taking the oldest key out of one map walks over every key taken out before.
 */
export class Requests {
  #young = new Map<string, Request>();
  #old = new Map<string, Request>();

  keep(eventId: string, request: Request): void {
    if (this.#young.size >= ANSWERABLE) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    const before = this.#young.size;
    this.#young.set(brief(eventId), request);
    if (this.#young.size === before) request.ambiguous = true;
  }

  get(eventId: string): Request | undefined {
    const key = brief(eventId);
    return this.#young.get(key) ?? this.#old.get(key);
  }
}
