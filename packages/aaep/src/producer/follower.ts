import type { FeedPage, Heard } from "../feed.ts";
import type { Outgoing, Shaper } from "../shape/outgoing.ts";
import type { Terms } from "../terms.ts";
import type { SaidBefore } from "./forerunner.ts";

/**
 * How far one subscription has followed the feed, and what its shaper makes of it. Everything up to the cursor was heard. What
 * is critical may be heard ahead of it, with what its session said before: then only the others are heard when the cursor
 * comes by.
 */
export class Follower {
  readonly #shaper: Shaper;
  readonly #ahead = new Ahead();
  #cursor: number;
  #criticalUpTo: number;
  #heardUpTo = 0;
  /** Before this, some of what is heard was delivered in an earlier life. */
  readonly #resumesAt: number;

  /** `resumesAt`: up to here, some of what follows was delivered before, and the shaper knows what. */
  constructor(shaper: Shaper, after: number, resumesAt: number = after) {
    this.#shaper = shaper;
    this.#cursor = after;
    this.#criticalUpTo = resumesAt; // nothing critical was kept back in the earlier life
    this.#resumesAt = resumesAt;
  }

  get cursor(): number {
    return this.#cursor;
  }

  /** Everything critical up to here was heard, in its turn or ahead of it. */
  get criticalUpTo(): number {
    return Math.max(this.#cursor, this.#criticalUpTo);
  }

  /** Where to resume when nothing waits; undefined when something does. */
  get place(): number | undefined {
    const isAllOut = this.#shaper.settledUpTo >= this.#heardUpTo && this.#cursor >= this.#resumesAt;
    return isAllOut && this.#ahead.isBehind(this.#cursor) ? this.#cursor : undefined;
  }

  get isFull(): boolean {
    return this.#shaper.isFull;
  }

  /** Hears what follows the cursor, as long as there is room. False: there was not enough, and the cursor says how far it got. */
  hear({ heard, upTo }: FeedPage, at: number): boolean {
    for (const one of heard) {
      if (one.position <= this.#cursor) continue;
      if (this.#shaper.isFull) return false;
      if (!this.#ahead.pass(one)) {
        this.#shaper.hear(one, at, "next");
        this.#heardUpTo = one.position;
      }
      this.#cursor = one.position;
    }
    this.#cursor = Math.max(this.#cursor, upTo);
    return true;
  }

  /** Whether it was heard, in its turn or ahead of it. */
  hasHeard(heard: Heard): boolean {
    return heard.position <= this.#cursor || this.#ahead.has(heard);
  }

  /** Everything that a session said up to here was heard. */
  heardOf(session: string): number {
    return Math.max(this.#cursor, this.#ahead.upTo(session));
  }

  /** Hears something critical before its turn, after what its session said before it. Also when it is full. */
  hearAhead(critical: Heard, { said, isAll }: SaidBefore, at: number): void {
    for (const one of said) if (!this.hasHeard(one)) this.#shaper.hear(one, at, "ahead");
    this.#ahead.add(critical, isAll);
  }

  /** There is nothing critical from `criticalUpTo` to here that was not heard. */
  passCritical(upTo: number): void {
    this.#criticalUpTo = Math.max(this.#criticalUpTo, upTo);
  }

  /** Hears what has no place in the feed that anybody could resume from: summaries, questions that are open. */
  hearAside(heard: Heard, at: number): void {
    this.#shaper.hear(heard, at, "aside");
  }

  /** What follows was missed, and will not be had. */
  skipTo(position: number): void {
    this.#cursor = Math.max(this.#cursor, position);
  }

  take(at: number, atMost: number): readonly Outgoing[] {
    return this.#shaper.take(at, atMost);
  }

  dueAt(): number | undefined {
    return this.#shaper.dueAt();
  }

  renegotiate(terms: Terms, at: number): void {
    this.#shaper.renegotiate(terms, at);
  }
}

/** Past this, the session that was heard of first is forgotten: its events are heard again in their turn, with the same ids. */
const MOST_SESSIONS = 1024;
const MOST_ALONE = 4096;

/**
 * Which events one subscription heard before their turn. Bounded by how many sessions there are, not by how much they say: what
 * is heard ahead of a session is all of it up to some place. Only where that was too much to look up, single events are
 * remembered.
 */
class Ahead {
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
