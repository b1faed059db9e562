import type { Answer } from "./answer.ts";

/** How many answers wait for their event for certain; up to twice as many are held. */
const HELD = 8192;

/**
 * Answers recorded before the event that they answer: a log written by two processes, or two logs in one file. They
 * wait for it in two generations, the older of which is let go of as a whole when the younger one is full.
 */
export class HeldAnswers {
  #young = new Map<string, Answer[]>();
  #old = new Map<string, Answer[]>();
  #added = 0;
  #forgotten = 0;

  /** Answers that were let go of: whether their event came is not known. */
  get forgotten(): number {
    return this.#forgotten;
  }

  hold(requestId: string, answer: Answer): void {
    if (this.#added >= HELD) {
      for (const answers of this.#old.values()) this.#forgotten += answers.length;
      this.#old = this.#young;
      this.#young = new Map();
      this.#added = 0;
    }
    this.#added++;
    const waiting = this.#young.get(requestId);
    if (waiting === undefined) this.#young.set(requestId, [answer]);
    else waiting.push(answer);
  }

  /** The answers to an event, in the order in which they were recorded; they no longer wait. */
  take(requestId: string): readonly Answer[] {
    const old = this.#old.get(requestId);
    const young = this.#young.get(requestId);
    if (old !== undefined) this.#old.delete(requestId);
    if (young !== undefined) this.#young.delete(requestId);
    return [...(old ?? []), ...(young ?? [])];
  }

  get isEmpty(): boolean {
    return this.#young.size === 0 && this.#old.size === 0;
  }

  /** Everything that still waits. */
  *takeAll(): Generator<Answer> {
    for (const answers of [...this.#old.values(), ...this.#young.values()]) yield* answers;
    this.#old.clear();
    this.#young.clear();
  }
}
