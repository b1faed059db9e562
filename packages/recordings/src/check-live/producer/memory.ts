import type { Item } from "../peer/peer.ts";
import { eventIdOf, sessionOf, toQuestion, typeOf } from "./question.ts";

/** How often something may fail to come before it is waited for less. */
const PATIENT_TIMES = 3;

/** What a drive remembers from one scenario to the next. */
export class Memory {
  /** Every session that any line has heard of. */
  readonly sessions = new Set<string>();
  /** Types and states that were heard. */
  readonly types = new Set<string>();
  readonly states = new Set<string>();
  /** Which question each token belongs to. */
  readonly #tokens = new Map<string, string>();
  readonly #failures = new Map<string, number>();

  hear(item: Item): void {
    const session = sessionOf(item);
    if (session !== undefined) this.sessions.add(session);
    const type = typeOf(item);
    if (type !== "") this.types.add(type);
    const state = item.value["to_state"];
    if (type === "agent.state.changed" && typeof state === "string") this.states.add(state);
  }

  /** Whether the token of a question was used for another one before. */
  isReused(item: Item): boolean {
    const question = toQuestion(item);
    const id = eventIdOf(item);
    if (question === undefined || id === undefined) return false;
    const known = this.#tokens.get(question.token);
    if (known === undefined) this.#tokens.set(question.token, id);
    return known !== undefined && known !== id;
  }

  /**
   * How long to wait for something. What never came, several times in a row, is not waited for in full again: a producer
   * without it would take an hour to say so.
   */
  patience(what: "start" | "end" | "handshake", { longMs, shortMs }: { readonly longMs: number; readonly shortMs: number }): number {
    return (this.#failures.get(what) ?? 0) >= PATIENT_TIMES ? Math.min(longMs, shortMs) : longMs;
  }

  came(what: "start" | "end" | "handshake", came: boolean): void {
    this.#failures.set(what, came ? 0 : (this.#failures.get(what) ?? 0) + 1);
  }
}
