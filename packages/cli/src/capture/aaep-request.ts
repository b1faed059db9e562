import type { SubscriptionRequest } from "@earshot/protocol";
import { VERSION } from "../version.ts";

/**
 * What a capture asks of a producer: everything, unshaped. It answers nothing and says so: a producer must not take it for
 * a person who does.
 */
export function toCaptureRequest({ isSigned }: { readonly isSigned: boolean }): SubscriptionRequest {
  return {
    type: "subscription.request",
    aaep_version: "1.0.0",
    subscriber_id: "earshot-capture",
    subscriber_name: "Earshot capture",
    subscriber_version: VERSION,
    capabilities: {
      supports_confirmation_reply: false,
      supports_clarification_reply: false,
      supported_conformance_levels: [1, 2, 3],
      coalesce_boundaries: ["none", "word", "sentence", "paragraph", "completion"],
      preferred_verbosity: "detailed",
      cognitive_load: "high",
      event_filters: { include: ["*"] },
      ...(isSigned ? { accept_signed_manifests_only: true } : {}),
    },
  };
}
