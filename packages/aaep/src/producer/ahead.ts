import type { Heard } from "../heard.ts";

/** Past this, the session that was heard of first is forgotten: its events are heard again in their turn, with the same ids. */
const MOST_SESSIONS = 1024;
const MOST_ALONE = 4096;

/**
 * Which events one subscription heard before their turn. Bounded by how many sessions there are, not by how much they say: what
 * is heard ahead of a session is all of it up to some place. Only where that was too much to look up, single events are
 * remembered.
 */
export class Ahead {
  readonly #sessions = new Map<string, number>();
  readonly #alone = new Set<number>();

  /** Up to here everything of a session was heard ahead; 0 when nothing was. */
  upTo(session: string): number {
    return this.#sessions.get(session) ?? 0;
  }

  /** `isAll`: everything that its session said before it was heard too. */
  add({ session, position }: Heard, isAll: boolean): void {
    if (!isAll) {
      if (this.#alone.size < MOST_ALONE) this.#alone.add(position);
      return;
    }
    const former = this.upTo(session);
    this.#sessions.delete(session);
    this.#sessions.set(session, Math.max(former, position));
    if (this.#sessions.size <= MOST_SESSIONS) return;
    const [oldest = ""] = this.#sessions.keys();
    this.#sessions.delete(oldest);
  }

  has({ session, position }: Heard): boolean {
    return this.#alone.has(position) || position <= this.upTo(session);
  }

  /** An event's turn has come. True: it was heard before. */
  pass({ session, position }: Heard): boolean {
    const upTo = this.upTo(session);
    if (upTo === position) this.#sessions.delete(session);
    return this.#alone.delete(position) || position <= upTo;
  }

  /** Whether nothing was heard ahead of this place. */
  isBehind(cursor: number): boolean {
    for (const [session, upTo] of this.#sessions) if (upTo <= cursor) this.#sessions.delete(session);
    for (const position of this.#alone) if (position <= cursor) this.#alone.delete(position);
    return this.#sessions.size === 0 && this.#alone.size === 0;
  }
}
