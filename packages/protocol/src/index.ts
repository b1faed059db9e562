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
export { type AopType, isAopType, payloadOf, readAmount, readField, readFieldText } from "./aop/aliases.ts";
export { AOP } from "./aop/aop.ts";
export type { AopCollectorRow } from "./aop/collector-row.ts";
export { unwrapStream } from "./aop/stream-frame.ts";
export { CATALOGUE_EDITION } from "./catalogue.ts";
export { type Coverage, CoverageMeter } from "./coverage.ts";
export { type Finding, findingToProblem, type JudgedProblem } from "./finding.ts";
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
export type { FindingOfSession, KnownFacts, LiveLifecycle } from "./live.ts";
export { nearest } from "./nearest.ts";
export { EarshotError, PROBLEMS, type Problem, type ProblemCode, type ProblemKind, pointerTo } from "./problem.ts";
export {
  type ConformanceLevel,
  DEFAULT_ID_CAPACITY,
  type Judge,
  type JudgeOptions,
  type Protocol,
  type ProtocolReading,
  type ReadingFacts,
  type TracedFinding,
} from "./protocol.ts";
export { isProtocolName, PROTOCOLS, recogniseProtocol, ruleOf } from "./protocols.ts";
export { RecentMap } from "./recent-map.ts";
export type { ProtocolName, Rule, RuleBasis, RuleExample, RuleExamples, Severity } from "./rule.ts";
export { SECRET_SHAPES, type SecretShape } from "./secrets.ts";
export { createSignFinder } from "./sign-finder.ts";
export { type ParsedTimestamp, readTimestamp } from "./timestamp.ts";
