// biome-ignore-all lint/performance/noBarrelFile: the messages of the protocol under one roof, for this package and its users
export type {
  Capabilities,
  ClarificationReply,
  ConfirmationReply,
  Manifest,
  SubscriptionAccepted,
  SubscriptionClose,
  SubscriptionRejected,
  SubscriptionRenegotiate,
  SubscriptionRequest,
} from "@earshot/protocol";
