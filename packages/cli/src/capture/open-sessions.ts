import { endsSession, type Said, startsSession } from "./read-said.ts";

const MOST_REMEMBERED = 50_000;

/** Which of the captured sessions have ended. */
export class OpenSessions {
  readonly #open = new Set<string>();
  readonly #ended = new Set<string>();
  readonly #hadEnded: boolean;

  /** `hadEnded`: in an earlier capture, every session of it. */
  constructor(hadEnded = false) {
    this.#hadEnded = hadEnded;
  }

  /** Every session that was heard of has ended, and there was one. */
  get allEnded(): boolean {
    return this.#open.size === 0 && (this.#ended.size > 0 || this.#hadEnded);
  }

  hear({ reading, session }: Said): void {
    if (session === "") return;
    const key = `${reading.protocol} ${session}`;
    if (endsSession(reading)) {
      this.#open.delete(key);
      remember(this.#ended, key);
    } else if (!this.#ended.has(key) || (startsSession(reading) && reading.protocol !== "aop")) {
      // In AOP a first event that comes last is late; in the others a session that starts again has begun anew.
      this.#ended.delete(key);
      remember(this.#open, key);
    }
  }
}

function remember(set: Set<string>, key: string): void {
  set.add(key);
  for (const oldest of set) {
    if (set.size <= MOST_REMEMBERED) return;
    set.delete(oldest);
  }
}
