// biome-ignore-all lint/performance/noBarrelFile: a package's only re-export file; each line is a promise

export { EARSHOT_CONTEXT, EARSHOT_PREFIX, SESSION_STOP } from "./extension.ts";
export type { Feed, FeedPage, SessionNow } from "./feed.ts";
export type { Heard } from "./heard.ts";
export { Connection, type ConnectionOptions, type Received } from "./producer/connection.ts";
export { createFilter, matchesPattern } from "./producer/filter.ts";
export { LogFeed, type LogFeedOptions } from "./producer/log-feed.ts";
export { createManifest, type ManifestFacts } from "./producer/manifest.ts";
export { matchLanguage } from "./producer/match-language.ts";
export { implicitTerms, negotiate, type RejectionReason, rejected, renegotiate } from "./producer/negotiate.ts";
export type { Negotiation, Offer } from "./producer/offer.ts";
export { AaepProducer, type Subscribed, type SubscribeOptions } from "./producer/producer.ts";
export type { KeptSubscription, Principal, ProducerPorts, ReplyFrom, SubscriptionKeeper } from "./producer/producer-ports.ts";
export { type MessageReading, readMessage, readMessageText, type Said } from "./producer/read-message.ts";
export { type ManifestAlgorithm, type SigningKey, signManifest } from "./producer/sign-manifest.ts";
export type { Channel, Sink } from "./producer/sink.ts";
export type { AttachOptions, Subscription } from "./producer/subscription.ts";
export { toHeard } from "./producer/to-heard.ts";
export { DEFAULT_CAPABILITIES, toTerms } from "./producer/to-terms.ts";
export { type ManifestVerdict, type TrustedKeys, verifyManifest } from "./producer/verify-manifest.ts";
export { mayDefaultTo, riskOf } from "./questions/default-decision.ts";
export type { Reply } from "./questions/judge-reply.ts";
export type { Clarification, Confirmation, Decision, Ending, Question, ResponseKind, Risk, Silence } from "./questions/question.ts";
export { type Attendance, QuestionDesk, type QuestionDeskOptions, type QuestionNews } from "./questions/question-desk.ts";
export { endsInAbbreviation } from "./shape/abbreviations.ts";
export { findEnds } from "./shape/boundaries.ts";
export type { Outgoing, Shaper } from "./shape/outgoing.ts";
export { segmentersFor } from "./shape/segmenters.ts";
export { ChannelConnector, type SubscriberChannel } from "./subscriber/channel-connector.ts";
export type { Connected, Connection as ProducerConnection, Connector, Greeting, Resume } from "./subscriber/connector.ts";
export type { Arrived, Incoming, Trouble } from "./subscriber/incoming.ts";
export { type ClosedPrompt, type Prompt, type PromptEnd, readPrompt, resolvedToken } from "./subscriber/open-prompts.ts";
export { nameOf, type ProducerAddress, readProducerAddress } from "./subscriber/producer-address.ts";
export { RESUME_POINT, readResume, resumePoint } from "./subscriber/resume-extension.ts";
export { Sieve, type Sifted } from "./subscriber/sieve.ts";
export { SseConnector } from "./subscriber/sse-connector.ts";
export { Subscriber } from "./subscriber/subscriber.ts";
export type { SubscriberClock } from "./subscriber/subscriber-clock.ts";
export type { SubscriberLimits, SubscriberOptions, SubscriberState } from "./subscriber/subscriber-options.ts";
export { type ClarificationAnswer, type ConfirmationAnswer, type PromptReply, toReply } from "./subscriber/to-reply.ts";
export { trustKeys } from "./subscriber/trust-keys.ts";
export { openWebSocket } from "./subscriber/web-socket-channel.ts";
export { BOUNDARIES, type Boundary, type Load, type Terms, type Verbosity } from "./terms.ts";
export {
  errorText,
  METHODS,
  notificationText,
  RPC_ERRORS,
  type RpcId,
  type RpcIncoming,
  readRpc,
  requestText,
  resultText,
} from "./wire/json-rpc.ts";
