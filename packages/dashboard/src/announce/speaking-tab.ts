const LOCK = "earshot-voice";

/**
 * Only one tab of this browser speaks: the last one used. A tab that gets the focus steals the lock; when its tab closes, the next tab in
 * the queue gets it.
 */
export class SpeakingTab {
  readonly #onChange: (speaks: boolean) => void;
  #turn = new AbortController();
  #release: (() => void) | undefined;

  constructor(onChange: (speaks: boolean) => void) {
    this.#onChange = onChange;
    addEventListener("focus", this.#focused);
    document.addEventListener("visibilitychange", this.#focused);
    this.#ask(document.hasFocus());
  }

  get speaks(): boolean {
    return this.#release !== undefined;
  }

  close(): void {
    removeEventListener("focus", this.#focused);
    document.removeEventListener("visibilitychange", this.#focused);
    this.#turn.abort();
    this.#release?.();
  }

  readonly #focused = () => {
    if (!this.speaks && document.visibilityState === "visible" && document.hasFocus()) this.#ask(true);
  };

  /** Steals the lock, or queues for it. */
  #ask(takes: boolean): void {
    this.#turn.abort();
    this.#turn = new AbortController();
    const { signal } = this.#turn;
    let spoke = false;
    const speak = () =>
      new Promise<void>((resolve) => {
        if (signal.aborted) return resolve();
        spoke = true;
        this.#release = resolve;
        this.#onChange(true);
      });
    void navigator.locks
      .request(LOCK, takes ? { steal: true } : { signal }, speak)
      .catch(() => {}) // taken by another tab, or told to stop waiting
      .then(() => {
        if (spoke) {
          this.#release = undefined;
          this.#onChange(false);
        }
        if (!signal.aborted) this.#ask(false);
      });
  }
}
