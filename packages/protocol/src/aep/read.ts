import { type Finding, NO_FINDINGS } from "../finding.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { ProtocolReading, ReadingFacts } from "../protocol.ts";
import { lazyShape, quoteJsonValue, type Shape } from "../schema.ts";
import { findSecret } from "../secrets.ts";
import { readTimestamp } from "../timestamp.ts";
import { isBehavior } from "./answer.ts";
import { carriesFinding } from "./carries.ts";
import { aepEventSchema, eventSchemas, responseSchema } from "./events.ts";
import { findInEventIds, findInResponseIds } from "./ids.ts";
import { memberNameFinding } from "./member-names.ts";
import { omitNulls } from "./nulls.ts";
import { findShapeErrors, hasPart } from "./objects.ts";
import type { AepRuleId } from "./rules.ts";
import { DISPLAY_STYLES, EVENT_TYPE_NAMES, EVENT_TYPES, type EventType, OUTCOME_OF_BEHAVIOR, resolveAgent, resolveType } from "./types.ts";

const EVENT_SHAPE = lazyShape(() => aepEventSchema);
const RESPONSE_SHAPE = lazyShape(() => responseSchema);
const TYPE_SHAPES = Object.fromEntries(EVENT_TYPE_NAMES.map((type) => [type, lazyShape(() => eventSchemas[type])])) as Readonly<
  Record<EventType, Shape>
>;
/** A build suffix does not make a different version; a pre-release suffix does. */
const KNOWN_VERSION = /^0\.1(\.\d+)?(\+|$)/;
const STYLES: ReadonlySet<unknown> = new Set(DISPLAY_STYLES);

// A producer repeats these in every event, so one finding object is shared by all of them.
const TIME_FORM: Finding = note("aep/time-utc-milliseconds", "`time` is not written in UTC with milliseconds.", "/time");
const ALIASES: ReadonlyMap<string, Finding> = new Map(
  EVENT_TYPE_NAMES.flatMap((type) =>
    EVENT_TYPES[type].aliases.map((alias) => [alias, note("aep/type-alias", `\`${alias}\` is read as \`${type}\`.`, "/type")] as const),
  ),
);

/** The type of a hook response: the record itself has none. */
export const RESPONSE_TYPE = "response";

/**
 * Scores how closely an object's member names match AEP. `aep_version` is unique to it; an event without it is still recognized by the
 * other four core members together, a response by the two ids that join it.
 */
export function recogniseAep(value: JsonObject): number {
  const { agent } = value;
  let score = 0;
  if (value["aep_version"] !== undefined) score += 60;
  if (value["id"] !== undefined) score += 8;
  if (value["time"] !== undefined) score += 8;
  if (isResponse(value)) {
    if (value["request_event_id"] !== undefined) score += 24;
    if (value["control"] !== undefined) score += 16;
    if (value["action_id"] !== undefined) score += 8;
    if (value["decision"] !== undefined) score += 8;
  } else {
    if (value["type"] !== undefined) score += 8;
    if (agent !== undefined) score += isObject(agent) && agent["slug"] !== undefined ? 24 : 8;
    if (value["action"] !== undefined || value["session"] !== undefined) score += 8;
  }
  return Math.min(score, 100);
}

/** Reads one record in isolation. A clean one costs one compiled check and a few comparisons. */
export function readAep(value: JsonObject, facts: ReadingFacts): ProtocolReading {
  return isResponse(value) ? readResponse(value, facts) : readEvent(value, facts);
}

function readEvent(value: JsonObject, facts: ReadingFacts): ProtocolReading {
  const { type: written, agent, session } = value;
  const type = typeof written === "string" ? resolveType(written) : undefined;
  const slug = isObject(agent) ? agent["slug"] : undefined;
  const sessionId = isObject(session) ? session["id"] : undefined;
  return {
    protocol: "aep",
    kind: "event",
    type: type ?? (typeof written === "string" && written !== "" ? written : "?"),
    value,
    eventId: textOf(value["id"]),
    sessionId: textOf(sessionId),
    agentId: typeof slug === "string" && slug !== "" ? resolveAgent(slug) : undefined,
    findings: findInEvent(value, type, facts),
  };
}

function findInEvent(value: JsonObject, type: EventType | undefined, facts: ReadingFacts): readonly Finding[] {
  const findings: Finding[] = [];
  const event = facts.firstNull === undefined ? value : readNulls(value, findings);
  const shape = type === undefined ? EVENT_SHAPE : TYPE_SHAPES[type];
  if (!shape.check(event)) findings.push(...findShapeErrors(shape, event, type));
  findInCommon(event, facts, findings);
  findInEventIds(event, findings);
  const spelling = memberNameFinding(event, "event");
  if (spelling !== undefined) findings.push(spelling);
  if (event["action"] !== undefined) findBareAction(event, type, findings);
  if (event["content"] !== undefined) findStyles(event["content"], findings);
  if (type === undefined) {
    if (typeof event["type"] === "string" && event["type"] !== "") {
      add(findings, "aep/type-known", `The type ${quoteJsonValue(event["type"])} is not in the vocabulary.`, "/type");
    }
  } else {
    findForType(event, type, findings);
    const carries = carriesFinding(event, type);
    if (carries !== undefined) {
      if (findings.length === 0) return carries;
      findings.push(...carries);
    }
  }
  return findings.length === 0 ? NO_FINDINGS : findings;
}

/** Checks the action of an event that is not about an action: only its id can join it, and a question has no action type. */
function findBareAction({ type: written, action }: JsonObject, type: EventType | undefined, findings: Finding[]): void {
  if (!isObject(action) || (typeof written === "string" && written.startsWith("action."))) return;
  const isQuestion = type === "question.asked" || type === "question.answered";
  const missing: string[] = [];
  if (action["type"] === undefined && !isQuestion) missing.push("no `type`");
  if (action["id"] === undefined) missing.push("no `id`");
  if (missing.length > 0) add(findings, "aep/action-type-and-id", `\`action\` has ${missing.join(" and ")}.`, "/action");
}

/** Reports members that a type recommends but does not require. */
function findForType(event: JsonObject, type: EventType, findings: Finding[]): void {
  if (event["type"] !== type) {
    const alias = ALIASES.get(event["type"] as string);
    if (alias !== undefined) findings.push(alias);
  }
  const { part, partIsRequired } = EVENT_TYPES[type];
  if (part.length > 0 && !partIsRequired) {
    const { content } = event;
    if (!Array.isArray(content) || !hasPart(content, part)) {
      add(findings, "aep/content-part", `\`content\` has no part of type \`${part.join("` or `")}\`.`, "/content");
    }
    return;
  }
  if (type === "session.start" || type === "session.end") {
    const { session } = event;
    if (!isObject(session) || session["id"] === undefined) {
      add(findings, "aep/session-boundary-id", "`session.id` is missing.", "/session/id");
    }
  } else if (type === "action.requested") {
    const { action, tool } = event;
    if (isObject(action) && action["type"] === "subagent_spawn" && action["input"] === undefined && !isObject(tool)) {
      add(findings, "aep/subagent-spawn-named", "Neither `tool.name` nor `action.input` says which subagent is meant.", "/action");
    }
  }
}

function readResponse(value: JsonObject, facts: ReadingFacts): ProtocolReading {
  const findings: Finding[] = [];
  const response = facts.firstNull === undefined ? value : readNulls(value, findings);
  if (!RESPONSE_SHAPE.check(response)) findings.push(...findShapeErrors(RESPONSE_SHAPE, response, RESPONSE_TYPE));
  findInCommon(response, facts, findings);
  findInResponseIds(response, findings);
  const spelling = memberNameFinding(response, "response");
  if (spelling !== undefined) findings.push(spelling);
  findInAnswer(response, findings);
  return {
    protocol: "aep",
    kind: "message",
    type: RESPONSE_TYPE,
    value,
    eventId: textOf(value["id"]),
    sessionId: undefined,
    agentId: undefined,
    findings: findings.length === 0 ? NO_FINDINGS : findings,
  };
}

/** Checks that `control` and `decision` of a response agree. */
function findInAnswer({ control, decision }: JsonObject, findings: Finding[]): void {
  if (!isObject(control) || !isBehavior(control["behavior"])) return;
  const behavior = control["behavior"];
  if (control["updated_input"] !== undefined && behavior !== "allow" && behavior !== "ask") {
    add(findings, "aep/updated-input-use", `\`updated_input\` means nothing with \`${behavior}\`.`, "/control/updated_input");
  }
  const outcome = isObject(decision) ? decision["outcome"] : undefined;
  if (outcome !== "approved" && outcome !== "denied" && outcome !== "info") return;
  if (outcome === OUTCOME_OF_BEHAVIOR[behavior]) return;
  const contradicts = (behavior === "allow" && outcome === "denied") || (behavior === "deny" && outcome === "approved");
  const rule: AepRuleId = contradicts ? "aep/outcome-contradicts-behavior" : "aep/outcome-fits-behavior";
  add(findings, rule, `\`control.behavior\` is \`${behavior}\` and \`decision.outcome\` is \`${outcome}\`.`, "/decision/outcome");
}

/** Checks shared by events and responses that a schema cannot express. */
function findInCommon(record: JsonObject, { hasNoSecret }: ReadingFacts, findings: Finding[]): void {
  const { aep_version: version, time, decision, metrics, action, content, control } = record;
  const secret = hasNoSecret === true ? undefined : findSecret({ action, content, control });
  if (secret !== undefined) add(findings, "aep/no-secrets", `A value seems to contain a secret (${secret.name}).`, secret.pointer);
  if (isObject(metrics)) findNegativeDurations(metrics, "/metrics", findings);
  if (isObject(decision)) findNegativeDurations(decision, "/decision", findings);
  if (version !== "0.1" && typeof version === "string" && !KNOWN_VERSION.test(version) && !told(findings, "/aep_version")) {
    add(findings, "aep/version-known", `\`aep_version\` is ${quoteJsonValue(version)}; this is a reader of 0.1.`, "/aep_version");
  }
  if (typeof time === "string") {
    const instant = readTimestamp(time);
    if (instant === undefined) {
      if (!told(findings, "/time")) add(findings, "aep/time", `\`time\` is no instant; found ${quoteJsonValue(time)}.`, "/time");
    } else if (!instant.utc || instant.fractionDigits < 3) {
      findings.push(TIME_FORM);
    }
  }
  if (!isObject(decision)) return;
  const decidedAt = decision["time"];
  if (typeof decidedAt !== "string" || readTimestamp(decidedAt) !== undefined || told(findings, "/decision/time")) return;
  add(findings, "aep/decision-object", `\`decision.time\` is no instant; found ${quoteJsonValue(decidedAt)}.`, "/decision/time");
}

function findNegativeDurations(object: JsonObject, pointer: string, findings: Finding[]): void {
  for (const name in object) {
    const value = object[name];
    if (typeof value !== "number" || value >= 0 || !name.endsWith("_ms")) continue;
    add(findings, "aep/duration-not-negative", `\`${name}\` is ${value}.`, `${pointer}/${name}`);
  }
}

function findStyles(content: unknown, findings: Finding[]): void {
  if (!Array.isArray(content)) return;
  for (let index = 0; index < content.length; index++) {
    const part: unknown = content[index];
    const style = isObject(part) ? part["style"] : undefined;
    if (typeof style !== "string" || STYLES.has(style)) continue;
    add(findings, "aep/display-style", `${quoteJsonValue(style)} is not a display style.`, `/content/${index}/style`);
    return;
  }
}

function readNulls(value: JsonObject, findings: Finding[]): JsonObject {
  const read = omitNulls(value);
  for (const pointer of read.pointers) add(findings, "aep/no-null", "The member is null; it is read as absent.", pointer);
  return read.value;
}

/** A response has neither `type` nor `agent`; a broken record is classified by which side has more of its members. */
function isResponse(value: JsonObject): boolean {
  const answers = (has(value, "request_event_id") ? 1 : 0) + (has(value, "control") ? 1 : 0) + (has(value, "action_id") ? 1 : 0);
  if (answers === 0) return false;
  const tells = (has(value, "type") ? 1 : 0) + (has(value, "agent") ? 1 : 0);
  return answers > tells || (answers === tells && has(value, "control"));
}

/** A null member is read as absent. */
function has(value: JsonObject, member: string): boolean {
  return value[member] !== undefined && value[member] !== null;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function told(findings: readonly Finding[], pointer: string): boolean {
  return findings.some((finding) => finding.pointer === pointer);
}

function add(findings: Finding[], rule: AepRuleId, message: string, pointer: string): void {
  findings.push({ rule, message, pointer });
}

function note(rule: AepRuleId, message: string, pointer: string): Finding {
  return Object.freeze({ rule, message, pointer });
}
