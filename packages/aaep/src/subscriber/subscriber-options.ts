import type { SubscriptionAccepted, SubscriptionRequest } from "@earshot/protocol";
import type { Connector, Resume } from "./connector.ts";
import type { Trouble } from "./incoming.ts";
import type { ClosedPrompt } from "./open-prompts.ts";
import type { OverloadLimits } from "./overload.ts";
import type { SubscriberClock } from "./waiting.ts";

export interface SubscriberOptions {
  readonly connector: Connector;
  readonly request: SubscriptionRequest;
  readonly clock: SubscriberClock;
  /** From an earlier subscription. */
  readonly resume?: Resume | undefined;
  /** Keep trying from the beginning; otherwise the first contact has to succeed. */
  readonly isPatient?: boolean;
  /** Asked about each handshake; throws where the producer's manifest is not to be trusted. */
  readonly verify?: ((accepted: SubscriptionAccepted) => Promise<void>) | undefined;
  readonly onTrouble?: ((trouble: Trouble) => void) | undefined;
  readonly onState?: ((state: SubscriberState) => void) | undefined;
  readonly onPromptClosed?: ((closed: ClosedPrompt) => void) | undefined;
  readonly limits?: Partial<SubscriberLimits>;
}

export interface SubscriberLimits {
  /** Events that may wait to be taken; then the producer is not read. */
  readonly queue: number;
  /** How long an event waits for one that should come before it. */
  readonly holdMs: number;
  /** How long to wait before connecting again: at first, and at most. */
  readonly retryMs: number;
  readonly longestRetryMs: number;
  readonly overload?: OverloadLimits;
}

/** `cut`: it is tried again. `closed`: by us, or for good. */
export type SubscriberState = "connecting" | "open" | "cut" | "closed";

export const SUBSCRIBER_LIMITS: SubscriberLimits = { queue: 1000, holdMs: 250, retryMs: 250, longestRetryMs: 30_000 };
