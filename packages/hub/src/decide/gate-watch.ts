/** Sessions that are remembered: the oldest go first. */
const MOST_SESSIONS = 4000;

/** `asks`: a hook of the session asks before it acts. `told`: and it was told that something went around it. */
type Gate = "asks" | "told" | "none";

/**
 * Notices that a session goes around its gate: it asks before it acts, and then something ran that was never asked about.
 * Whether an action was asked about, the session's own lifecycle knows, also after a restart.
 */
export class GateWatch {
  readonly #gates = new Map<string, Gate>();

  /** A hook of the session asked about an action. Says whether that is the first time, as far as this process knows. */
  asked(scope: string): boolean {
    const known = this.#gates.get(scope);
    this.#keep(scope, known === "told" ? "told" : "asks");
    return known === undefined || known === "none";
  }

  /** Whether a session asks; undefined where this process has not seen it do so, and nobody has looked. */
  isGated(scope: string): boolean | undefined {
    const gate = this.#gates.get(scope);
    return gate === undefined ? undefined : gate !== "none";
  }

  /** What the ledger knows of a session from before. */
  recall(scope: string, isGated: boolean): void {
    if (this.#gates.get(scope) === undefined) this.#keep(scope, isGated ? "asks" : "none");
  }

  /** Something ran unasked: whether to tell of it, which is once for a session. */
  ran(scope: string): boolean {
    if (this.#gates.get(scope) !== "asks") return false;
    this.#keep(scope, "told");
    return true;
  }

  #keep(scope: string, gate: Gate): void {
    this.#gates.delete(scope);
    this.#gates.set(scope, gate);
    for (const oldest of this.#gates.keys()) {
      if (this.#gates.size <= MOST_SESSIONS) return;
      this.#gates.delete(oldest);
    }
  }
}
