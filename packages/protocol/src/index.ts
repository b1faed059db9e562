// biome-ignore-all lint/performance/noBarrelFile: a package's only re-export file; each line is public API
export { AAEP } from "./aaep/aaep.ts";
export { REQUIRED_FIELDS } from "./aaep/events.ts";
export {
  aaepMessageSchemas,
  type Capabilities,
  type ClarificationReply,
  type ConfirmationReply,
  capabilitiesSchema,
  type Manifest,
  type SubscriptionAccepted,
  type SubscriptionClose,
  type SubscriptionRejected,
  type SubscriptionRenegotiate,
  type SubscriptionRequest,
} from "./aaep/messages.ts";
export { CORE_CONTEXT, CORE_TYPES, type CoreType, isMessageType, MESSAGE_TYPES, type MessageType, readTypeName } from "./aaep/names.ts";
export { AEP } from "./aep/aep.ts";
export type { AepContentPart, AepEvent, AepResponse } from "./aep/events.ts";
export { type AopType, isAopType, payloadOf, readAmount, readField, readText } from "./aop/aliases.ts";
export { AOP } from "./aop/aop.ts";
export type { CollectorRow } from "./aop/collector-row.ts";
export { unwrapStream } from "./aop/stream-frame.ts";
export { CATALOGUE } from "./catalogue.ts";
export { type Coverage, CoverageMeter } from "./coverage.ts";
export { type Finding, type JudgedProblem, toProblem } from "./finding.ts";
export { hashKey, hashText } from "./hash-text.ts";
export {
  type BodyHash,
  hashContent,
  isObject,
  JSON_LIMITS,
  type JsonFacts,
  type JsonLimits,
  type JsonObject,
  type JsonReading,
  type JsonValue,
  readJson,
} from "./json.ts";
export { membersOf, memberText } from "./json-members.ts";
export { createJudge } from "./judge.ts";
export type { Known, LiveFinding, LiveLifecycle } from "./live.ts";
export { nearest } from "./nearest.ts";
export { EarshotError, PROBLEMS, type Problem, type ProblemCode, type ProblemKind, pointerTo } from "./problem.ts";
export {
  ID_CAPACITY,
  type Judge,
  type JudgeOptions,
  type Level,
  type Protocol,
  type Reading,
  type ReadingFacts,
  type Told,
} from "./protocol.ts";
export { isProtocolName, PROTOCOLS, recogniseProtocol, ruleOf } from "./protocols.ts";
export { RecentMap } from "./recent-map.ts";
export type { Decided, Example, ProtocolName, Rule, RuleExamples, Severity } from "./rule.ts";
export { SECRET_SHAPES, type SecretShape } from "./secrets.ts";
export { createSignFinder } from "./sign-finder.ts";
export { type Instant, readTimestamp } from "./timestamp.ts";
