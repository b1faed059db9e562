import type { SubscriptionAccepted, SubscriptionRequest } from "@earshot/protocol";
import type { Connector, ResumeState } from "./connector.ts";
import type { SubscriptionProblem } from "./incoming.ts";
import type { ClosedPrompt } from "./open-prompts.ts";
import type { OverloadLimits } from "./overload-control.ts";
import type { SubscriberClock } from "./waiting.ts";

export interface SubscriberOptions {
  readonly connector: Connector;
  readonly request: SubscriptionRequest;
  readonly clock: SubscriberClock;
  /** From an earlier subscription. */
  readonly resume?: ResumeState | undefined;
  /** Retry from the beginning; otherwise the first attempt must succeed. */
  readonly isPatient?: boolean;
  /** Called with each handshake; throws to reject the producer's manifest. */
  readonly verify?: ((accepted: SubscriptionAccepted) => Promise<void>) | undefined;
  readonly onTrouble?: ((trouble: SubscriptionProblem) => void) | undefined;
  readonly onState?: ((state: SubscriberState) => void) | undefined;
  readonly onPromptClosed?: ((closed: ClosedPrompt) => void) | undefined;
  readonly limits?: Partial<SubscriberLimits>;
}

export interface SubscriberLimits {
  /** Maximum waiting events; the producer is not read beyond it. */
  readonly queue: number;
  /** How long an event waits for earlier ones. */
  readonly holdMs: number;
  /** Initial and maximum delay between attempts. */
  readonly retryMs: number;
  readonly longestRetryMs: number;
  readonly overload?: OverloadLimits;
}

/** `cut`: being retried. `closed`: by this side, or permanently. */
export type SubscriberState = "connecting" | "open" | "cut" | "closed";

export const SUBSCRIBER_LIMITS: SubscriberLimits = { queue: 1000, holdMs: 250, retryMs: 250, longestRetryMs: 30_000 };
