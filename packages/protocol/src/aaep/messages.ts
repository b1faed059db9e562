import Type, { type Static, type TSchema } from "typebox";
import { TIMESTAMP_PATTERN } from "../timestamp.ts";
import { AAEP_VERSION_PATTERN, enforces, identifier, language, producerSchema, uri } from "./events.ts";
import { CORE_CONTEXT, type MessageType } from "./names.ts";

const closed = { additionalProperties: false } as const;
const version = Type.String({ pattern: AAEP_VERSION_PATTERN });
const timestamp = Type.String({ pattern: TIMESTAMP_PATTERN });
const patterns = Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { uniqueItems: true });

/** The capabilities that a subscriber requests and a producer honors. Unknown keys are extension namespaces and therefore objects. */
export const capabilitiesSchema = Type.Object(
  {
    max_events_per_second: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
    preferred_verbosity: Type.Optional(Type.Enum(["terse", "normal", "detailed"])),
    languages: Type.Optional(Type.Array(language, { minItems: 1, maxItems: 32, uniqueItems: true })),
    supports_confirmation_reply: Type.Optional(Type.Boolean()),
    supports_clarification_reply: Type.Optional(Type.Boolean()),
    coalesce_boundaries: Type.Optional(
      Type.Array(Type.Enum(["none", "word", "sentence", "paragraph", "completion"]), { minItems: 1, maxItems: 5, uniqueItems: true }),
    ),
    event_filters: Type.Optional(Type.Object({ include: Type.Optional(patterns), exclude: Type.Optional(patterns) }, closed)),
    supported_conformance_levels: Type.Optional(Type.Array(Type.Enum([1, 2, 3]), { minItems: 1, maxItems: 3, uniqueItems: true })),
    supported_extensions: Type.Optional(Type.Array(uri, { maxItems: 64, uniqueItems: true })),
    cognitive_load: Type.Optional(Type.Enum(["low", "medium", "high"])),
    pace_wpm: Type.Optional(Type.Integer({ minimum: 50, maximum: 1000 })),
    accept_signed_manifests_only: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: Type.Object({}) },
);
export type Capabilities = Static<typeof capabilitiesSchema>;

export const REJECTION_REASONS = [
  "version_unsupported",
  "manifest_signature_required",
  "capabilities_incompatible",
  "rate_limit",
  "authentication_required",
  "authorization_denied",
  "transport_unavailable",
  "unknown",
] as const;

export const subscriptionRequestSchema = Type.Object(
  {
    type: Type.Literal("subscription.request"),
    aaep_version: version,
    subscriber_id: Type.String({ minLength: 1, maxLength: 256 }),
    subscriber_name: Type.Optional(Type.String({ maxLength: 256 })),
    subscriber_version: Type.Optional(Type.String({ maxLength: 64 })),
    subscriber_manifest_uri: Type.Optional(uri),
    correlation_id: Type.Optional(Type.String()),
    capabilities: capabilitiesSchema,
    extensions: Type.Optional(Type.Record(Type.String(), Type.Object({}))),
  },
  { ...closed, ...enforces("aaep/subscription-request") },
);
export type SubscriptionRequest = Static<typeof subscriptionRequestSchema>;

export const subscriptionAcceptedSchema = Type.Object(
  {
    type: Type.Literal("subscription.accepted"),
    subscription_id: identifier("sub"),
    aaep_version: version,
    producer: producerSchema,
    honored_capabilities: capabilitiesSchema,
    manifest_uri: Type.Optional(uri),
    signed_manifest: Type.Optional(Type.String({ pattern: "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$" })),
    negotiation_notes: Type.Optional(Type.String({ maxLength: 4096 })),
  },
  { ...closed, ...enforces("aaep/subscription-accepted") },
);
export type SubscriptionAccepted = Static<typeof subscriptionAcceptedSchema>;

export const subscriptionRejectedSchema = Type.Object(
  {
    type: Type.Literal("subscription.rejected"),
    reason_code: Type.Enum([...REJECTION_REASONS]),
    reason_message: Type.String({ minLength: 1, maxLength: 4096 }),
    retry_after_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400 })),
    alternative_manifest_uri: Type.Optional(uri),
  },
  { ...closed, ...enforces("aaep/subscription-rejected") },
);

export type SubscriptionRejected = Static<typeof subscriptionRejectedSchema>;

/**
 * The specification has no schema for `subscription.renegotiate`, `subscription.close` and the manifest, so they accept additional
 * members.
 */
export const subscriptionRenegotiateSchema = Type.Object(
  {
    type: Type.Literal("subscription.renegotiate"),
    subscription_id: identifier("sub"),
    capabilities: capabilitiesSchema,
  },
  enforces("aaep/subscription-renegotiate"),
);
export type SubscriptionRenegotiate = Static<typeof subscriptionRenegotiateSchema>;
export const subscriptionCloseSchema = Type.Object(
  {
    type: Type.Literal("subscription.close"),
    subscription_id: identifier("sub"),
    reason_code: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    reason_message: Type.Optional(Type.String({ maxLength: 4096 })),
  },
  enforces("aaep/subscription-close"),
);

export type SubscriptionClose = Static<typeof subscriptionCloseSchema>;

export const confirmationReplySchema = Type.Object(
  {
    type: Type.Literal("confirmation.reply"),
    reply_token: identifier("rpl"),
    decision: Type.Enum(["accept", "reject"]),
    subscription_id: identifier("sub"),
    timestamp,
    decided_by: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    decision_rationale: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
    modified_action: Type.Optional(Type.Object({})),
    correlation_id: Type.Optional(Type.String()),
  },
  { ...closed, ...enforces("aaep/confirmation-reply") },
);
export type ConfirmationReply = Static<typeof confirmationReplySchema>;

export const clarificationReplySchema = Type.Object(
  {
    type: Type.Literal("clarification.reply"),
    reply_token: identifier("rpl"),
    response: Type.Union([Type.String({ minLength: 1, maxLength: 16_384 }), Type.Boolean(), Type.Number()]),
    subscription_id: identifier("sub"),
    timestamp,
    decided_by: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    correlation_id: Type.Optional(Type.String()),
  },
  { ...closed, ...enforces("aaep/clarification-reply") },
);
export type ClarificationReply = Static<typeof clarificationReplySchema>;

const names = Type.Array(Type.String({ minLength: 1 }));
export const manifestSchema = Type.Object(
  {
    "@context": Type.Unsafe<string | string[]>({
      anyOf: [{ const: CORE_CONTEXT }, { type: "array", minItems: 1, prefixItems: [{ const: CORE_CONTEXT }], items: { type: "string" } }],
    }),
    type: Type.Literal("aaep:producer.manifest"),
    agent_id: Type.String({ minLength: 1 }),
    agent_version: Type.Optional(Type.String()),
    agent_name: Type.Optional(Type.String()),
    // One chapter shows "1.0", the examples show "1.0.0": both are accepted.
    aaep_versions_supported: Type.Array(Type.String({ pattern: "^[0-9]+\\.[0-9]+(\\.[0-9]+)?(-[A-Za-z0-9.-]+)?$" }), { minItems: 1 }),
    conformance_levels_supported: Type.Optional(Type.Array(Type.Enum([1, 2, 3]), { minItems: 1 })),
    transports_supported: Type.Optional(names),
    languages_supported: Type.Optional(Type.Array(language)),
    event_types_emitted: Type.Optional(names),
    extensions_supported: Type.Optional(Type.Array(uri)),
    default_verbosity: Type.Optional(Type.Enum(["terse", "normal", "detailed"])),
    max_concurrent_subscriptions: Type.Optional(Type.Integer({ minimum: 0 })),
    contact: Type.Optional(Type.String()),
    extensions: Type.Optional(Type.Record(Type.String(), Type.Object({}))),
  },
  enforces("aaep/manifest"),
);
export type Manifest = Static<typeof manifestSchema>;

export const aaepMessageSchemas: Readonly<Record<MessageType | "producer.manifest", TSchema>> = {
  "subscription.request": subscriptionRequestSchema,
  "subscription.accepted": subscriptionAcceptedSchema,
  "subscription.rejected": subscriptionRejectedSchema,
  "subscription.renegotiate": subscriptionRenegotiateSchema,
  "subscription.close": subscriptionCloseSchema,
  "confirmation.reply": confirmationReplySchema,
  "clarification.reply": clarificationReplySchema,
  "producer.manifest": manifestSchema,
};
