import type { Incoming } from "./incoming.ts";

/**
 * What was heard and not taken yet: in order within each session, and what is critical first, after what its own session
 * said before it. Whoever fills it asks `isFull` before reading on.
 */
export class IncomingQueue {
  readonly #limit: number;
  #urgent: Incoming[] = [];
  #calm: Incoming[] = [];
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#urgent.length + this.#calm.length;
  }

  get isFull(): boolean {
    return this.size >= this.#limit;
  }

  /** How many were ever taken. */
  get taken(): number {
    return this.#taken;
  }

  push(incoming: Incoming): void {
    if (!incoming.critical) {
      this.#calm.push(incoming);
      return;
    }
    const isOwn = ({ session }: Incoming) => session === incoming.session;
    if (this.#calm.some(isOwn)) {
      this.#urgent.push(...this.#calm.filter(isOwn));
      this.#calm = this.#calm.filter((one) => !isOwn(one));
    }
    this.#urgent.push(incoming);
  }

  take(atMost: number): readonly Incoming[] {
    const urgent = this.#urgent.splice(0, atMost);
    const calm = this.#calm.splice(0, atMost - urgent.length);
    this.#taken += urgent.length + calm.length;
    return urgent.length === 0 ? calm : [...urgent, ...calm];
  }
}
