/** Work due within this many milliseconds is done together. */
export const TIMER_SLACK_MS = 5;

interface AlarmPorts {
  readonly monotonic: () => number;
  readonly after: (ms: number, call: () => void) => () => void;
}

/** One timer for many waiters: it rings at the earliest requested time. */
export class WakeTimer {
  readonly #ports: AlarmPorts;
  readonly #ring: () => void;
  #set: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(ports: AlarmPorts, ring: () => void) {
    this.#ports = ports;
    this.#ring = ring;
  }

  /** Rings at this time or earlier. Later waiters request again. */
  setFor(at: number): void {
    if (this.#set !== undefined && this.#set.at <= at) return;
    this.#set?.cancel();
    const wait = Math.max(TIMER_SLACK_MS, at - this.#ports.monotonic());
    const cancel = this.#ports.after(wait, () => {
      this.#set = undefined;
      this.#ring();
    });
    this.#set = { at, cancel };
  }

  clear(): void {
    this.#set?.cancel();
    this.#set = undefined;
  }
}
