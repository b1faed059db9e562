import { readTimestamp } from "@earshot/protocol";
import type { TraceMoment } from "../trace.ts";
import { Gaps } from "./axis.ts";

/** If more than this share of the events goes back in time or has no time, the order is more reliable than the clock. */
const TOLERATED = 0.1;

export interface ClockFacts {
  readonly events: number;
  readonly timed: number;
  readonly back: number;
}

/** A foreign time is accepted only if it is at most this much later than the agent's last event. */
const BELIEVED_MS = 24 * 60 * 60 * 1000;

/** An agent's own clock, from its events. It never goes back, and counts how often it would have. */
export class AgentClock {
  readonly timeGaps = new Gaps();
  readonly orderGaps = new Gaps();
  #ms: number | undefined;
  #events = 0;
  #timed = 0;
  #back = 0;

  /** `isOwn`: stamped by the agent itself. An answer carries a foreign clock's time, which does not set this clock. */
  tick(entry: number, line: number, at: string | undefined, isOwn: boolean): TraceMoment {
    const told = at === undefined ? undefined : (readTimestamp(at) ?? readTimestamp(`${at}Z`))?.ms;
    this.orderGaps.see(entry);
    if (!isOwn) return this.#foreign(entry, line, told);
    this.#events++;
    if (told !== undefined) {
      this.#timed++;
      if (told < (this.#ms ?? told)) this.#back++;
      this.#ms = Math.max(told, this.#ms ?? told);
      this.timeGaps.see(this.#ms);
    }
    return this.#ms === undefined ? { entry, line } : { entry, line, ms: this.#ms };
  }

  #foreign(entry: number, line: number, told: number | undefined): TraceMoment {
    if (this.#ms === undefined) return { entry, line };
    const isLikely = told !== undefined && told > this.#ms && told < this.#ms + BELIEVED_MS;
    return { entry, line, ms: isLikely ? told : this.#ms };
  }

  facts(): ClockFacts {
    return { events: this.#events, timed: this.#timed, back: this.#back };
  }
}

/** Why the clocks of a family are unusable; undefined if they are usable. */
export function whyNoTime(facts: readonly ClockFacts[]): "absent" | "backwards" | undefined {
  const sum = (of: (one: ClockFacts) => number) => facts.reduce((total, one) => total + of(one), 0);
  const events = sum(({ events }) => events);
  if (events === 0 || sum(({ timed }) => timed) < (1 - TOLERATED) * events) return "absent";
  return sum(({ back }) => back) > TOLERATED * events ? "backwards" : undefined;
}
