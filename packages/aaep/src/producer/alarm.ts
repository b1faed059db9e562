/** What is due within so many milliseconds goes out together. */
export const SLACK_MS = 5;

interface AlarmPorts {
  readonly monotonic: () => number;
  readonly after: (ms: number, call: () => void) => () => void;
}

/** One timer for many who have something due: it rings at the earliest time that anybody asked for. */
export class Alarm {
  readonly #ports: AlarmPorts;
  readonly #ring: () => void;
  #set: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(ports: AlarmPorts, ring: () => void) {
    this.#ports = ports;
    this.#ring = ring;
  }

  /** Rings then, unless it rings earlier anyway. Whoever is due later asks again. */
  setFor(at: number): void {
    if (this.#set !== undefined && this.#set.at <= at) return;
    this.#set?.cancel();
    const wait = Math.max(SLACK_MS, at - this.#ports.monotonic());
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
