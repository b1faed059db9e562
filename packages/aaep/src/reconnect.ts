import { EarshotError, PROBLEMS } from "@earshot/protocol/problem";

export interface ReconnectOptions {
  readonly signal: AbortSignal;
  /** Ends early with the signal. */
  readonly wait?: ((ms: number) => Promise<void>) | undefined;
  /** Called when the connection is lost, with the reason, and when it is back. */
  readonly onGone: (why: string) => void;
  readonly onBack: () => void;
  /** Whether to give up with this error. Default: for a permanent one, and for any before the first item. */
  readonly isPermanent?: (error: unknown, hasBegun: boolean) => boolean;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/**
 * Yields the items of consecutive connections until the signal, with exponential back-off. Permanent errors are thrown, as is every error
 * before the first item.
 */
export async function* reconnect<Item>(connect: () => AsyncIterable<Item>, options: ReconnectOptions): AsyncGenerator<Item> {
  const { signal, onGone, onBack, isPermanent = (error, hasStarted) => !hasStarted || !isMendable(error) } = options;
  const wait = options.wait ?? ((ms) => pause(ms, signal));
  let pauseMs = FIRST_PAUSE_MS;
  let isGone = false;
  let hasBegun = false;
  while (!signal.aborted) {
    let why = "The connection ended.";
    try {
      for await (const item of connect()) {
        if (isGone) onBack();
        isGone = false;
        hasBegun = true;
        pauseMs = FIRST_PAUSE_MS;
        yield item;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isPermanent(error, hasBegun)) throw error;
      why = error instanceof Error ? error.message : why;
    }
    if (signal.aborted) return;
    if (!isGone) onGone(why);
    isGone = true;
    await wait(pauseMs);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

/** Whether an error may be temporary: a hub that is away, stopping or overloaded. `fetch` reports a lost connection as a TypeError. */
function isMendable(error: unknown): boolean {
  if (!EarshotError.is(error)) return error instanceof TypeError;
  // A restarted hub may have a new address and not be ready.
  return error.problem.code === "HUB_NOT_FOUND" || (Object.hasOwn(PROBLEMS, error.problem.code) && PROBLEMS[error.problem.code].retryable);
}

/** Ends early with the signal. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
