import { isTerminalType } from "@earshot/protocol/aaep-names";
import type { IncomingEvent, SubscriptionProblem } from "./incoming.ts";

/** Events to pass on in order, and the problems noticed. */
export interface OrderedEvents {
  readonly incoming: readonly IncomingEvent[];
  readonly troubles: readonly SubscriptionProblem[];
}

interface Following {
  /** The expected number; undefined before the first event. */
  next: number | undefined;
  readonly held: Map<number, IncomingEvent>;
  /** When held events are passed on, whatever is missing. */
  until: number;
  /** The stream is filtered or merged, so waiting for missing numbers would only delay. */
  hasGaps: boolean;
}

const MAX_SESSIONS = 1000;
const MAX_HELD = 64;
const HOLD_MS = 250;

/**
 * Orders the events of a session by number. Early events wait briefly for missing ones, critical ones never. Pure: times are milliseconds
 * of a monotonic clock passed in.
 */
export class SequenceWindow {
  readonly #sessions = new Map<string, Following>();
  readonly #holdMs: number;

  constructor(holdMs = HOLD_MS) {
    this.#holdMs = holdMs;
  }

  handle(incoming: IncomingEvent, at: number): OrderedEvents {
    const number = incoming.event["sequence_number"];
    const key = incoming.session; // one count for all that speak in it
    if (typeof number !== "number" || !Number.isSafeInteger(number)) return this.#unnumbered(key, incoming);
    const following = this.#follow(key);
    const { next } = following;
    if (next === undefined || number === next) return this.#pass(key, following, incoming, number);
    if (number < next) {
      return { incoming: [incoming], troubles: [{ kind: "out-of-order", session: incoming.session, number }] };
    }
    following.held.set(number, incoming);
    if (following.held.size === 1) following.until = at + this.#holdMs;
    const mustGo = incoming.critical || following.hasGaps || following.held.size > MAX_HELD || this.#holdMs <= 0;
    return mustGo ? this.#flush(key, following) : { incoming: [], troubles: [] };
  }

  /** When a held event has waited long enough. */
  dueAt(): number | undefined {
    let due: number | undefined;
    for (const { held, until } of this.#sessions.values()) if (held.size > 0 && (due === undefined || until < due)) due = until;
    return due;
  }

  tick(at: number): OrderedEvents {
    return this.#join([...this.#sessions].filter(([, { held, until }]) => held.size > 0 && until <= at));
  }

  /** The stream was joined anew: held events cannot be completed, and numbers may be missing. */
  rejoin(): OrderedEvents {
    const all = this.#join([...this.#sessions]);
    this.#sessions.clear();
    return all;
  }

  #join(sessions: readonly (readonly [string, Following])[]): OrderedEvents {
    const flushed = sessions.map(([key, following]) => this.#flush(key, following));
    return { incoming: flushed.flatMap((one) => one.incoming), troubles: flushed.flatMap((one) => one.troubles) };
  }

  /** Held events must not overtake a terminal event or one without a number. */
  #unnumbered(key: string, incoming: IncomingEvent): OrderedEvents {
    const following = this.#sessions.get(key);
    if (following === undefined) return { incoming: [incoming], troubles: [] };
    const before = this.#flush(key, following);
    if (isTerminalType(incoming.type)) this.#sessions.delete(key);
    return { ...before, incoming: [...before.incoming, incoming] };
  }

  #pass(key: string, following: Following, incoming: IncomingEvent, number: number): OrderedEvents {
    const passed = [incoming];
    following.next = number + 1;
    for (;;) {
      const held = following.held.get(following.next);
      if (held === undefined) break;
      following.held.delete(following.next);
      passed.push(held);
      following.next++;
    }
    if (isTerminalType(passed.at(-1)?.type ?? "")) this.#sessions.delete(key);
    return { incoming: passed, troubles: [] };
  }

  /** Stops waiting for missing events. */
  #flush(key: string, following: Following): OrderedEvents {
    const numbers = [...following.held.keys()].sort((one, other) => one - other);
    const passed: IncomingEvent[] = [];
    const troubles: SubscriptionProblem[] = [];
    for (const number of numbers) {
      const held = following.held.get(number);
      if (held === undefined) continue;
      const { next = number } = following;
      if (number > next) {
        troubles.push({ kind: "gap", session: held.session, from: next, to: number - 1 });
        following.hasGaps = true;
      }
      passed.push(held);
      following.next = number + 1;
    }
    following.held.clear();
    if (isTerminalType(passed.at(-1)?.type ?? "")) this.#sessions.delete(key);
    return { incoming: passed, troubles };
  }

  #follow(key: string): Following {
    const known = this.#sessions.get(key);
    if (known !== undefined) return known;
    const following: Following = { next: undefined, held: new Map(), until: 0, hasGaps: false };
    if (this.#sessions.size >= MAX_SESSIONS) {
      // Drops the oldest session without held events.
      const [oldest] = [...this.#sessions].find(([, { held }]) => held.size === 0) ?? [];
      if (oldest === undefined) return { ...following, hasGaps: true }; // no room to put anything in order
      this.#sessions.delete(oldest);
    }
    this.#sessions.set(key, following);
    return following;
  }
}
