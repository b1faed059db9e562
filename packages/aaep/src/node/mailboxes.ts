import type { JsonObject } from "@earshot/protocol";

/** What waits for a stream that is about to be opened. */
export interface Mailbox {
  /** Where the feed was when the first of it came in: the stream begins there. */
  readonly after: number;
  readonly messages: readonly Waiting[];
}

/** Said to the stream as it is; or a request, answered when the stream is there. */
export type Waiting = { readonly tell: JsonObject } | { readonly receive: JsonObject };

const MOST_BOXES = 256;
const MOST_MESSAGES = 16;
const KEPT_MS = 30_000;

/**
 * A peer that posts a message and opens its stream at the same time finds the answer there, whichever came first. Bounded: the
 * oldest go first, and nothing is kept for long.
 */
export class Mailboxes {
  readonly #boxes = new Map<string, { readonly at: number; readonly after: number; readonly messages: Waiting[] }>();

  /** For the holder of a credential. */
  put(principal: string, message: Waiting | undefined, { at, after }: { readonly at: number; readonly after: number }): void {
    const known = this.#boxes.get(principal);
    const box = known !== undefined && at - known.at < KEPT_MS ? known : { at, after, messages: [] };
    if (message !== undefined && box.messages.length < MOST_MESSAGES) box.messages.push(message);
    this.#boxes.delete(principal);
    this.#boxes.set(principal, box);
    if (this.#boxes.size > MOST_BOXES) {
      const [oldest] = this.#boxes.keys();
      if (oldest !== undefined) this.#boxes.delete(oldest);
    }
  }

  take(principal: string, at: number): Mailbox | undefined {
    const box = this.#boxes.get(principal);
    this.#boxes.delete(principal);
    return box !== undefined && at - box.at < KEPT_MS ? box : undefined;
  }
}
