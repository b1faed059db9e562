import type { StreamItem } from "../peer/peer.ts";
import { eventIdOf, sessionOf, toQuestion, typeOf } from "./question.ts";

/** After this many failures to appear, something is awaited for a shorter time. */
const PATIENT_TIMES = 3;

/** State kept between scenarios. */
export class DriveMemory {
  /** Every session seen on any connection. */
  readonly sessions = new Set<string>();
  /** Types and states seen. */
  readonly types = new Set<string>();
  readonly states = new Set<string>();
  /** Each token's question. */
  readonly #tokens = new Map<string, string>();
  readonly #failures = new Map<string, number>();

  handle(item: StreamItem): void {
    const session = sessionOf(item);
    if (session !== undefined) this.sessions.add(session);
    const type = typeOf(item);
    if (type !== "") this.types.add(type);
    const state = item.value["to_state"];
    if (type === "agent.state.changed" && typeof state === "string") this.states.add(state);
  }

  /** Whether another question used the same token before. */
  isReused(item: StreamItem): boolean {
    const question = toQuestion(item);
    const id = eventIdOf(item);
    if (question === undefined || id === undefined) return false;
    const known = this.#tokens.get(question.token);
    if (known === undefined) this.#tokens.set(question.token, id);
    return known !== undefined && known !== id;
  }

  /**
   * How long to wait. What failed to come several times in a row is no longer awaited in full, because a producer without it would take
   * an hour.
   */
  patience(what: "start" | "end" | "handshake", { longMs, shortMs }: { readonly longMs: number; readonly shortMs: number }): number {
    return (this.#failures.get(what) ?? 0) >= PATIENT_TIMES ? Math.min(longMs, shortMs) : longMs;
  }

  came(what: "start" | "end" | "handshake", came: boolean): void {
    this.#failures.set(what, came ? 0 : (this.#failures.get(what) ?? 0) + 1);
  }
}
