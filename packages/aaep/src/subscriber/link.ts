import type { SubscriptionRejected } from "@earshot/protocol";
import { EarshotError } from "@earshot/protocol/problem";
import type { Connection, Connector, Greeting } from "./connector.ts";
import type { Arrived } from "./incoming.ts";
import { isFinal, rejectedError } from "./rejection.ts";
import { pause, type SubscriberClock } from "./waiting.ts";

interface LinkPorts {
  readonly connector: Connector;
  readonly clock: SubscriberClock;
  /** Keep trying from the beginning; otherwise the first contact has to succeed. */
  readonly isPatient: boolean;
  /** How long to wait before connecting again: at first, and at most. */
  readonly retryMs: number;
  readonly longestRetryMs: number;
  readonly greeting: () => Greeting;
  /** Throws where the connection is not wanted after all. */
  readonly onConnected: (connection: Connection) => Promise<void>;
  /** Everything that comes, one after the other: who is not ready makes the producer wait. `over` where it was the last. */
  readonly onArrived: (arrived: Arrived) => Promise<"more" | "over">;
  /** The connection is over, or there was none, and it is tried again. */
  readonly onCut: (message: string) => void;
}

/** The most that a failure counts for waiting longer. */
const MOST_FAILURES = 20;

/**
 * Keeps a connection to a producer: connects, hands on what comes until that is over, and connects again, less and less
 * often. Fulfils when it is told to stop; throws where going on makes no sense.
 */
export async function keepLink(ports: LinkPorts, signal: AbortSignal): Promise<void> {
  const { clock, retryMs, longestRetryMs } = ports;
  let mustSucceed = !ports.isPatient;
  let failures = 0;
  while (!signal.aborted) {
    let waitMs = 0;
    try {
      const connected = await ports.connector.connect(ports.greeting(), signal);
      if (connected.ok) {
        const wasHeard = await listen(connected.connection, ports, signal, () => {
          mustSucceed = false;
        });
        if (wasHeard) failures = 0;
      } else waitMs = waitAfter(connected.rejected, mustSucceed, ports);
    } catch (error) {
      if (signal.aborted) return;
      if (mustSucceed || isForGood(error)) throw error;
      ports.onCut(describe(error));
    }
    // Not all at once, when many lost the same producer.
    const growing = Math.min(longestRetryMs, retryMs * 2 ** failures) * (0.5 + clock.random() / 2);
    failures = Math.min(failures + 1, MOST_FAILURES);
    if (!signal.aborted) await pause(clock, Math.max(waitMs, growing), signal);
  }
}

/** How long the producer wants us to stay away. */
function waitAfter(rejected: SubscriptionRejected, mustSucceed: boolean, { onCut }: LinkPorts): number {
  const error = rejectedError(rejected);
  if (mustSucceed || isFinal(rejected)) throw error;
  onCut(error.message);
  return (rejected.retry_after_seconds ?? 0) * 1000;
}

/** Until the connection is over. Says whether anything came. */
async function listen(
  connection: Connection,
  { onConnected, onArrived, onCut }: LinkPorts,
  signal: AbortSignal,
  succeeded: () => void,
): Promise<boolean> {
  let wasHeard = false;
  try {
    await onConnected(connection);
    succeeded();
    for await (const arrived of connection.items) {
      wasHeard = true;
      if (signal.aborted || (await onArrived(arrived)) === "over") break;
    }
    if (!signal.aborted) onCut("The connection ended.");
  } catch (error) {
    if (signal.aborted) return wasHeard;
    if (isForGood(error)) throw error;
    onCut(describe(error));
  } finally {
    if (!signal.aborted) await connection.close();
  }
  return wasHeard;
}

const FOR_GOOD: ReadonlySet<string> = new Set(["PRODUCER_REFUSED", "PRODUCER_ENDED", "MANIFEST_UNTRUSTED"]);

/** Where trying again would change nothing. */
function isForGood(error: unknown): boolean {
  return EarshotError.is(error) && FOR_GOOD.has(error.problem.code);
}

export function describe(error: unknown): string {
  return error instanceof Error ? error.message : "An unknown failure.";
}
