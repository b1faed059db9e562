import type { Capabilities, SubscriptionRequest } from "@earshot/protocol";

export interface Subscribing {
  readonly subscriberId?: string;
  readonly subscriberName?: string;
}

/** What the protocol asks of a subscriber that takes part in everything; each can be declared otherwise. */
const LEVEL_3: Capabilities = {
  supports_confirmation_reply: true,
  supports_clarification_reply: true,
  supported_conformance_levels: [1, 2, 3],
};

export function toRequest(capabilities: Capabilities, { subscriberId, subscriberName }: Subscribing): SubscriptionRequest {
  return {
    type: "subscription.request",
    aaep_version: "1.0.0",
    subscriber_id: subscriberId ?? `earshot-sdk-${crypto.randomUUID()}`,
    ...(subscriberName === undefined ? {} : { subscriber_name: subscriberName }),
    capabilities: { ...LEVEL_3, ...withReplies(capabilities) },
  };
}

/** Who says not to answer cannot claim the levels that ask for answers. */
function withReplies(capabilities: Capabilities): Capabilities {
  const isSilent = capabilities.supports_confirmation_reply === false && capabilities.supported_conformance_levels === undefined;
  return isSilent ? { ...capabilities, supported_conformance_levels: [1] } : capabilities;
}
