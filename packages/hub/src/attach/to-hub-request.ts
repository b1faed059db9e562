import type { SubscriptionRequest } from "@earshot/protocol";
import type { AttachmentTarget } from "./attachment-record.ts";

/** What the hub asks of a producer: everything, unshaped. What is recorded is what was said. */
export function toHubRequest(to: AttachmentTarget, version: string): SubscriptionRequest {
  const isSigned = to.kind === "address" && to.keys.length > 0;
  return {
    type: "subscription.request",
    aaep_version: "1.0.0",
    subscriber_id: "earshot-hub",
    subscriber_name: "Earshot",
    subscriber_version: version,
    capabilities: {
      supports_confirmation_reply: true,
      supports_clarification_reply: true,
      supported_conformance_levels: [1, 2, 3],
      coalesce_boundaries: ["none", "word", "sentence", "paragraph", "completion"],
      preferred_verbosity: "detailed",
      cognitive_load: "high",
      event_filters: { include: ["*"] },
      ...(isSigned ? { accept_signed_manifests_only: true } : {}),
    },
  };
}
