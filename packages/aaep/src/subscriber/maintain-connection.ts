import type { SubscriptionRejected } from "@earshot/protocol";
import { EarshotError } from "@earshot/protocol/problem";
import type { Connector, ConnectRequest, SubscribedConnection } from "./connector.ts";
import type { ReceivedItem } from "./incoming.ts";
import { isFinal, rejectedError } from "./rejection.ts";
import { type SubscriberClock, waitForDelay } from "./waiting.ts";

interface LinkPorts {
  readonly connector: Connector;
  readonly clock: SubscriberClock;
  /** Retry from the beginning; otherwise the first attempt must succeed. */
  readonly isPatient: boolean;
  /** Initial and maximum delay between attempts. */
  readonly retryMs: number;
  readonly longestRetryMs: number;
  readonly greeting: () => ConnectRequest;
  /** Throws to reject the connection. */
  readonly onConnected: (connection: SubscribedConnection) => Promise<void>;
  /** Receives items one after the other; the producer waits meanwhile. `over` after the last one. */
  readonly onArrived: (arrived: ReceivedItem) => Promise<"more" | "over">;
  /** The connection was lost or failed and is retried. */
  readonly onCut: (message: string) => void;
}

/** The maximum number of failures that increase the delay. */
const MAX_FAILURES = 20;

/**
 * Maintains a connection to a producer: connects, passes on items until it is lost, and reconnects with increasing delays. Fulfills when
 * told to stop; throws on permanent errors.
 */
export async function maintainConnection(ports: LinkPorts, signal: AbortSignal): Promise<void> {
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
      ports.onCut(describeLinkError(error));
    }
    // Randomized, so that many subscribers do not reconnect at once.
    const growing = Math.min(longestRetryMs, retryMs * 2 ** failures) * (0.5 + clock.random() / 2);
    failures = Math.min(failures + 1, MAX_FAILURES);
    if (!signal.aborted) await waitForDelay(clock, Math.max(waitMs, growing), signal);
  }
}

/** The delay that the producer requests. */
function waitAfter(rejected: SubscriptionRejected, mustSucceed: boolean, { onCut }: LinkPorts): number {
  const error = rejectedError(rejected);
  if (mustSucceed || isFinal(rejected)) throw error;
  onCut(error.message);
  return (rejected.retry_after_seconds ?? 0) * 1000;
}

/** Reads until the connection ends. Returns whether anything came. */
async function listen(
  connection: SubscribedConnection,
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
    onCut(describeLinkError(error));
  } finally {
    if (!signal.aborted) await connection.close();
  }
  return wasHeard;
}

const FOR_GOOD: ReadonlySet<string> = new Set(["PRODUCER_REFUSED", "PRODUCER_ENDED", "MANIFEST_UNTRUSTED"]);

/** Whether retrying is useless. */
function isForGood(error: unknown): boolean {
  return EarshotError.is(error) && FOR_GOOD.has(error.problem.code);
}

export function describeLinkError(error: unknown): string {
  return error instanceof Error ? error.message : "An unknown failure.";
}
