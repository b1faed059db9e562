import { EarshotError } from "@earshot/protocol";
import { isSignedByPin, pinText } from "./pin-key.ts";
import { type AccessState, type AccessStore, isPinRecord, NO_PIN_FAILURES, type PinRecord } from "./store.ts";

const FREE_TRIES = 5;
const FIRST_PAUSE_MS = 60_000;
/** A person locked out by someone else's guesses gets another attempt within an hour, and a paired browser needs no PIN. */
const MAX_PAUSE_MS = 3_600_000;

/** A challenge signed by a client with the PIN's key. */
export interface PinProof {
  /** The hub's address as the client sees it. */
  readonly origin: string;
  readonly purpose: string;
  readonly challenge: string;
  readonly signature: string;
}

/** The PIN's public key and the limit on guesses. */
export class PinStore {
  readonly #store: AccessStore;
  readonly #now: () => number;
  readonly #onLocked: (message: string) => void;

  constructor(store: AccessStore, now: () => number, onLocked: (message: string) => void) {
    this.#store = store;
    this.#now = now;
    this.#onLocked = onLocked;
  }

  get record(): PinRecord | undefined {
    return this.#store.state.pin;
  }

  set(pin: unknown): void {
    if (!isPinRecord(pin))
      throw new EarshotError({ code: "WRONG_QUERY", message: "`pin` has `salt`, `cost` and `key`; the PIN itself is never sent." });
    this.#store.update({ pin: { salt: pin.salt, cost: pin.cost, key: pin.key }, failures: NO_PIN_FAILURES });
  }

  /** Returns if it was signed with the PIN, and throws otherwise. */
  verify({ origin, purpose, challenge, signature }: PinProof): void {
    const { failures } = this.#store.state;
    if (this.record === undefined) throw new EarshotError({ code: "NO_APPROVER", message: "No PIN was set yet." });
    const leftMs = pauseLeftMs(failures, this.#now());
    if (leftMs > 0) {
      throw new EarshotError({
        code: "PIN_LOCKED",
        message: `The PIN was wrong ${failures.count} times. It may be tried again in ${Math.ceil(leftMs / 1000)} seconds.`,
      });
    }
    // Counted before it is checked, so that killing the hub meanwhile uses up an attempt as well. A full disk must not prevent a person
    // from deciding.
    const failed = afterFailure(failures, this.#now());
    this.#store.updateOrHold({ failures: failed });
    if (isSignedByPin(pinText(origin, purpose, challenge), signature, this.record.key)) {
      this.#store.updateOrHold({ failures: NO_PIN_FAILURES });
      return;
    }
    if (failed.blockedUntil > 0) this.#onLocked(`The PIN was wrong ${failed.count} times in a row.`);
    throw new EarshotError({ code: "PIN_WRONG", message: "That is not the PIN." });
  }
}

type Failures = AccessState["failures"];

/** The fifth wrong PIN blocks for a minute, each further one for twice as long. */
function afterFailure({ count }: Failures, now: number): Failures {
  const next = count + 1;
  if (next < FREE_TRIES) return { count: next, blockedUntil: 0 };
  return { count: next, blockedUntil: now + Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(20, next - FREE_TRIES)) };
}

function pauseLeftMs({ blockedUntil }: Failures, now: number): number {
  // A clock set back must not block a person for longer than the maximum.
  return Math.min(MAX_PAUSE_MS, Math.max(0, blockedUntil - now));
}
