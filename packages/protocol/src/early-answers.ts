import type { Reading } from "./protocol.ts";
import { RecentMap } from "./recent-map.ts";

export interface EarlyAnswer {
  readonly reading: Reading;
  readonly at: number;
}

/** Past this many agents, whether an id belongs to one of them is no longer looked up. */
const MAX_AGENTS = 1000;

/** Messages recorded before the event that they answer: a log written by two processes, or two logs in one file. */
export class EarlyAnswers {
  readonly #answers: RecentMap<string, readonly EarlyAnswer[]>;
  readonly #agents = new Set<string>();
  readonly #hasId: (agentId: string, eventId: string) => boolean;

  /** `hasId` says whether an agent has sent an event of that id. */
  constructor(capacity: number, hasId: (agentId: string, eventId: string) => boolean) {
    this.#answers = new RecentMap(capacity);
    this.#hasId = hasId;
  }

  get forgotten(): number {
    return this.#answers.forgotten;
  }

  addAgent(agentId: string): void {
    if (this.#agents.size < MAX_AGENTS) this.#agents.add(agentId);
  }

  /** Whether an event of this id may have been heard, of any agent. Asked only where an answer seems lost. */
  mayHaveHeard(eventId: string): boolean {
    if (this.#agents.size >= MAX_AGENTS) return true;
    for (const agentId of this.#agents) if (this.#hasId(agentId, eventId)) return true;
    return false;
  }

  add(eventId: string, answer: EarlyAnswer): void {
    this.#answers.set(eventId, [...(this.#answers.get(eventId) ?? []), answer]);
  }

  /** Those to an event, in the order in which they were recorded; they no longer wait. */
  take(eventId: string): readonly EarlyAnswer[] {
    return this.#answers.size === 0 ? NO_ANSWERS : (this.#answers.take(eventId) ?? NO_ANSWERS);
  }

  rest(): readonly EarlyAnswer[] {
    return [...this.#answers.entries()].flatMap(([, answers]) => answers);
  }
}

const NO_ANSWERS: readonly EarlyAnswer[] = Object.freeze([]);
