// biome-ignore-all lint/performance/noBarrelFile: a package's only re-export file; each line is public API

export { EARSHOT_CONTEXT, EARSHOT_PREFIX, RESUME_POINT, readResume, resumePoint, SESSION_STOP } from "./extension.ts";
export type { Feed, FeedPage, Heard, SessionNow } from "./feed.ts";
export { Connection, type ConnectionOptions, type Received } from "./producer/connection.ts";
export { LogFeed, type LogFeedOptions } from "./producer/log-feed.ts";
export { createManifest, type ManifestFacts } from "./producer/manifest.ts";
export { matchLanguage } from "./producer/match-language.ts";
export { implicitTerms, negotiate, type RejectionReason, rejected, renegotiate } from "./producer/negotiate.ts";
export { AaepProducer, type Subscribed, type SubscribeOptions } from "./producer/producer.ts";
export type {
  KeptSubscription,
  Negotiation,
  Offer,
  Principal,
  ProducerPorts,
  ReplyFrom,
  SubscriptionKeeper,
} from "./producer/producer-ports.ts";
export { type MessageReading, readMessage, readMessageText, type Said } from "./producer/read-message.ts";
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
export type { Channel, Sink } from "./producer/subscription-ports.ts";
export { toHeard } from "./producer/to-heard.ts";
export { createFilter, toTerms } from "./producer/to-terms.ts";
export type { Clarification, Confirmation, Decision, Ending, Question, Reply, ResponseKind, Risk, Silence } from "./questions/question.ts";
export { mayDefaultTo, riskOf } from "./questions/question.ts";
export { type Attendance, QuestionDesk, type QuestionDeskOptions, type QuestionNews } from "./questions/question-desk.ts";
export { endsInAbbreviation, findEnds, segmentersFor } from "./shape/boundaries.ts";
export type { Outgoing, Shaper } from "./shape/outgoing.ts";
export { ChannelConnector, openWebSocket, type SubscriberChannel } from "./subscriber/channel-connector.ts";
export type { Connected, Connection as ProducerConnection, Connector, Greeting, Resume } from "./subscriber/connector.ts";
export type { Arrived, Incoming, Trouble } from "./subscriber/incoming.ts";
export {
  type ClarificationAnswer,
  type ClosedPrompt,
  type ConfirmationAnswer,
  type Prompt,
  type PromptEnd,
  type PromptReply,
  readPrompt,
  resolvedToken,
  toReply,
} from "./subscriber/open-prompts.ts";
export { nameOf, type ProducerAddress, readProducerAddress } from "./subscriber/producer-address.ts";
export { Sieve, type Sifted } from "./subscriber/sieve.ts";
export { SseConnector } from "./subscriber/sse-connector.ts";
export { Subscriber } from "./subscriber/subscriber.ts";
export type { SubscriberLimits, SubscriberOptions, SubscriberState } from "./subscriber/subscriber-options.ts";
export type { SubscriberClock } from "./subscriber/waiting.ts";
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
