// biome-ignore-all lint/performance/noBarrelFile: a package's only re-export file; each line is public API

export { EARSHOT_CONTEXT, EARSHOT_PREFIX, RESUME_POINT, readResume, resumePoint, SESSION_STOP } from "./extension.ts";
export type { Feed, FeedEvent, FeedPage, SessionSummaryState } from "./feed.ts";
export { compileTerms, createFilter } from "./producer/compile-terms.ts";
export { PeerConnection, type PeerConnectionOptions, type ReceivedOutcome } from "./producer/connection.ts";
export { LogFeed, type LogFeedOptions } from "./producer/log-feed.ts";
export { createManifest, type ManifestFacts } from "./producer/manifest.ts";
export { matchLanguage } from "./producer/match-language.ts";
export { implicitTerms, negotiate, type RejectionReason, rejectRequest, renegotiate } from "./producer/negotiate.ts";
export { AaepProducer, type SubscribeResult, type SubscriptionOptions } from "./producer/producer.ts";
export type {
  KeptSubscription,
  Negotiation,
  Principal,
  ProducerOffer,
  ProducerPorts,
  ReplyOrigin,
  SubscriptionKeeper,
} from "./producer/producer-ports.ts";
export { type MessageReading, readMessage, readMessageText, type SubscriberMessage } from "./producer/read-message.ts";
export {
  type ManifestAlgorithm,
  type ManifestVerdict,
  type SigningKey,
  signManifest,
  type TrustedKeys,
  trustKeys,
  verifyManifest,
} from "./producer/signed-manifest.ts";
export type { AttachOptions, Subscription } from "./producer/subscription.ts";
export type { PeerChannel, SubscriptionSink } from "./producer/subscription-ports.ts";
export { toFeedEvent } from "./producer/to-feed-event.ts";
export { AgentQuestionBook, type AgentQuestionBookOptions, type Attendance, type QuestionChange } from "./questions/agent-question-book.ts";
export type {
  AaepResponseKind,
  Clarification,
  Confirmation,
  Decision,
  Question,
  QuestionEnding,
  QuestionReply,
  Risk,
  SilenceReason,
} from "./questions/question.ts";
export { effectiveRisk, mayDefaultTo } from "./questions/question.ts";
export { endsInAbbreviation, findTextBoundaries, segmentersFor } from "./shape/boundaries.ts";
export type { OutgoingEvent, Shaper } from "./shape/outgoing.ts";
export { ChannelConnector, openWebSocket, type SubscriberChannel } from "./subscriber/channel-connector.ts";
export type {
  Connector,
  ConnectRequest,
  ConnectResult,
  ResumeState,
  SubscribedConnection as ProducerConnection,
} from "./subscriber/connector.ts";
export type { IncomingEvent, ReceivedItem, SubscriptionProblem } from "./subscriber/incoming.ts";
export {
  type ClarificationAnswer,
  type ClosedPrompt,
  type ConfirmationAnswer,
  type Prompt,
  type PromptEnd,
  type PromptReply,
  readPrompt,
  resolvedToken,
  toReplyMessage,
} from "./subscriber/open-prompts.ts";
export { displayNameOf, type ProducerAddress, readProducerAddress } from "./subscriber/producer-address.ts";
export { SseConnector } from "./subscriber/sse-connector.ts";
export { Subscriber } from "./subscriber/subscriber.ts";
export type { SubscriberLimits, SubscriberOptions, SubscriberState } from "./subscriber/subscriber-options.ts";
export { type ProcessedText, SubscriptionFilter } from "./subscriber/subscription-filter.ts";
export type { SubscriberClock } from "./subscriber/waiting.ts";
export { type AaepVerbosity, BOUNDARIES, type Boundary, type Load, type Terms } from "./terms.ts";
export {
  errorText,
  notificationText,
  RPC_ERRORS,
  RPC_METHODS,
  type RpcId,
  type RpcIncoming,
  readRpc,
  requestText,
  resultText,
} from "./wire/json-rpc.ts";
