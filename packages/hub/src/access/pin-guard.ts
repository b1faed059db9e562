import { EarshotError } from "@earshot/protocol";
import type { AccessStore } from "./access-store.ts";
import { afterFailure, NO_FAILURES, pauseLeftMs } from "./lockout.ts";
import { checkPinShape, hashPin, isPin } from "./pin.ts";

export interface PinGuardPorts {
  readonly store: AccessStore;
  readonly now: () => number;
  /** Told when guessing has closed the door. */
  readonly onLocked: (message: string) => void;
}

/** The PIN, and how often it may be guessed. One guess at a time, and each is on disk as wrong before it is looked at. */
export class PinGuard {
  readonly #ports: PinGuardPorts;
  #last: Promise<unknown> = Promise.resolve();

  constructor(ports: PinGuardPorts) {
    this.#ports = ports;
  }

  get isSet(): boolean {
    return this.#ports.store.state.pin !== undefined;
  }

  /** `recheck` throws when it may not be set any more: hashing takes a while, and somebody else may have been faster. */
  async set(pin: unknown, recheck: () => void): Promise<void> {
    checkPinShape(pin);
    const hashed = await hashPin(pin);
    recheck();
    this.#ports.store.update({ pin: hashed, failures: NO_FAILURES });
  }

  /** Returns when it is the PIN, and throws otherwise. */
  verify(pin: unknown): Promise<void> {
    const turn = this.#last.then(() => this.#try(pin));
    this.#last = turn.catch(() => {}); // whoever asked is told; the next one has a turn all the same
    return turn;
  }

  async #try(pin: unknown): Promise<void> {
    const { store, now, onLocked } = this.#ports;
    const { pin: record, failures } = store.state;
    if (record === undefined) throw new EarshotError({ code: "NO_APPROVER", message: "No PIN was set yet." });
    const left = pauseLeftMs(failures, now());
    if (left > 0) {
      throw new EarshotError({
        code: "PIN_LOCKED",
        message: `The PIN was wrong ${failures.count} times. It may be tried again in ${Math.ceil(left / 1000)} seconds.`,
      });
    }
    // Counted before it is looked at: a guesser that kills the hub meanwhile has used up a try as well.
    const failed = afterFailure(failures, now());
    store.update({ failures: failed });
    const isRight = typeof pin === "string" && pin.length <= 1024 && (await isPin(pin, record));
    if (isRight) {
      store.update({ failures: NO_FAILURES });
      return;
    }
    if (failed.blockedUntil > 0) onLocked(`The PIN was wrong ${failed.count} times in a row.`);
    throw new EarshotError({ code: "PIN_WRONG", message: "That is not the PIN." });
  }
}
