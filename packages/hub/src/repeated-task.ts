/** Runs a task at intervals and on demand, never twice at a time. */
export class RepeatedTask implements Disposable {
  readonly #task: () => Promise<void>;
  readonly #onFailure: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  /** `everyMs`: 0 leaves it to the caller of `run`. */
  constructor(task: () => Promise<void>, onFailure: (error: unknown) => void, everyMs: number) {
    this.#task = task;
    this.#onFailure = onFailure;
    if (everyMs > 0) this.#timer = setInterval(() => void this.run(), everyMs).unref();
  }

  /** Fulfills when the task has finished or failed. */
  run(): Promise<void> {
    this.#running ??= this.#task()
      .catch(this.#onFailure)
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
