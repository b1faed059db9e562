import { EarshotError } from "@earshot/protocol";
import { type AccessStore, NO_PIN_FAILURES } from "./store.ts";

export const APPROVER_RESET_DELAY_MS = 10 * 60_000;
const RETRY_MS = 10_000;

export interface ApproverResetPorts {
  readonly store: AccessStore;
  readonly now: () => number;
  readonly hasApprover: () => boolean;
  readonly raise: (message: string) => void;
  /** Revokes everything that may decide. */
  readonly onDue: () => void;
  /** Runs a change of the store, on its newest state. */
  readonly change: (work: () => void) => Promise<void>;
}

/**
 * Recovery for a person who lost every approver and the PIN. Any program with this user's files can request it, including an agent, so it
 * waits, announces itself, can be stopped by any approver, and leaves a permanent alarm.
 */
export class ApproverReset implements Disposable {
  readonly #ports: ApproverResetPorts;
  #timer: NodeJS.Timeout | undefined;

  constructor(ports: ApproverResetPorts) {
    this.#ports = ports;
    const { reset } = ports.store.state;
    // While the hub was down nobody could be told or object, so the wait starts again.
    if (reset !== undefined) this.#arm({ ...reset, dueAt: ports.now() + APPROVER_RESET_DELAY_MS });
  }

  /** Unix milliseconds while a reset is pending. */
  get dueAt(): number | undefined {
    return this.#ports.store.state.reset?.dueAt;
  }

  ask(): number {
    const { store, now, raise, hasApprover } = this.#ports;
    if (!hasApprover()) throw new EarshotError({ code: "NO_APPROVER", message: "There is no approver yet." });
    if (store.state.reset !== undefined) return store.state.reset.dueAt;
    const dueAt = now() + APPROVER_RESET_DELAY_MS;
    this.#arm({ askedAt: new Date(now()).toISOString(), dueAt });
    raise("Somebody asked to remove every approver. It happens in 10 minutes, unless an approver cancels it.");
    return dueAt;
  }

  cancel(by: string): void {
    const { store, raise } = this.#ports;
    if (store.state.reset === undefined) throw new EarshotError({ code: "NOT_FOUND", message: "No reset was asked for." });
    this[Symbol.dispose]();
    this.#keep(undefined);
    raise(`The removal of every approver was cancelled by ${by}.`);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** The store has another state. A reset that is new to this hub waits here for as long as it did at first. */
  restored(): void {
    if (this.dueAt === undefined) this[Symbol.dispose]();
    else if (this.#timer === undefined) this.#wait(APPROVER_RESET_DELAY_MS);
  }

  #arm(reset: { readonly askedAt: string; readonly dueAt: number }): void {
    this.#keep(reset);
    this.#wait(Math.max(0, reset.dueAt - this.#ports.now()));
  }

  #wait(delayMs: number): void {
    this.#timer = setTimeout(() => void this.#ports.change(() => this.#happen()).catch(() => this.#wait(RETRY_MS)), delayMs).unref();
  }

  #happen(): void {
    const { store, raise, onDue } = this.#ports;
    if (store.state.reset === undefined) return;
    onDue();
    const { pin: _pin, reset: _reset, ...rest } = store.state;
    store.replace({ ...rest, failures: NO_PIN_FAILURES });
    raise("Every approver was removed by a reset that was requested 10 minutes before. The next start link sets up the first approver.");
  }

  #keep(reset: { readonly askedAt: string; readonly dueAt: number } | undefined): void {
    const { reset: _old, ...rest } = this.#ports.store.state;
    this.#ports.store.replace(reset === undefined ? rest : { ...rest, reset });
  }
}
