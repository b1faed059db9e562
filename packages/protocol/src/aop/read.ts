import { type Finding, NO_FINDINGS } from "../finding.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { ProtocolReading, ReadingFacts } from "../protocol.ts";
import { jsonKindOf, lazyShape, quoteJsonValue, ruleEnforced, type Shape, type ShapeError } from "../schema.ts";
import { AOP_ALIASES, AOP_TYPES, type AopType, payloadOf, readSpelling } from "./aliases.ts";
import { aopEventSchemaOf, customEventSchema, envelopeSchema, payloadSchemas, requiredFields } from "./events.ts";
import { noteEvent } from "./notes.ts";
import { frameEvent, isStreamFrame, unwrapStream } from "./stream-frame.ts";

interface Shapes {
  /** The type again: one shared string for all its events makes later comparisons cheap. */
  readonly type: AopType;
  readonly event: Shape;
  readonly payload: Shape;
}

const SHAPES: ReadonlyMap<string, Shapes> = new Map(
  AOP_TYPES.map((type) => [type, { type, event: lazyShape(() => aopEventSchemaOf(type)), payload: lazyShape(() => payloadSchemas[type]) }]),
);
const CUSTOM_EVENT = lazyShape(() => customEventSchema);
const ENVELOPE = lazyShape(() => envelopeSchema);

/** Longer ids are reported and not used to distinguish sessions: memory use must not depend on them. */
const MAX_USABLE_ID = 256;

/** Weight of each member as evidence for AOP. The weights add up to 100; any one member may be missing. */
const WEIGHTS = [
  ["spec", 25],
  ["payload", 20],
  ["session_id", 15],
  ["agent_id", 15],
  ["sequence", 15],
  ["timestamp", 5],
  ["type", 5],
] as const;

/** Score from 0 to 100 by member names. For a collector's stream message, the wrapped event is scored. */
export function recogniseAop(value: JsonObject): number {
  if (isStreamFrame(value)) return frameEvent(value) === undefined ? 60 : recogniseAop(value["data"] as JsonObject);
  let score = 0;
  for (const [member, weight] of WEIGHTS) if (value[member] !== undefined) score += weight;
  // Members that only the other protocols have.
  if ((value["@context"] ?? value["aep_version"] ?? null) !== null) score >>= 1;
  return score;
}

/** Reads one object. Never throws and never changes it. A clean event costs one compiled check and one object. */
export function readAop(value: JsonObject, facts: ReadingFacts): ProtocolReading {
  const event = unwrapStream(value);
  if (event === undefined) return readMessage(value);
  const type = event["type"];
  const sessionId = event["session_id"];
  const agentId = event["agent_id"];
  const shapes = typeof type === "string" ? SHAPES.get(type) : undefined;
  return {
    protocol: "aop",
    kind: "event",
    type: shapes !== undefined ? shapes.type : typeof type === "string" && type !== "" ? type : "?",
    value: event,
    eventId: undefined,
    sessionId: usableId(sessionId),
    agentId: usableId(agentId),
    findings: inspect(event, shapes, facts),
  };
}

function inspect(event: JsonObject, shapes: Shapes | undefined, facts: ReadingFacts): readonly Finding[] {
  const fits = (shapes?.event ?? CUSTOM_EVENT).check(event);
  const notes = noteEvent(event, shapes?.type, fits, facts);
  if (fits) return notes;
  const findings: Finding[] = envelopeFindings(event);
  payloadFindings(event, shapes, findings);
  // Only if the schemas and their error descriptions disagree; an invalid event must produce a finding.
  if (findings.length === 0 && notes.length === 0) findings.push({ rule: "aop/envelope-payload", message: "The event is malformed." });
  findings.push(...notes);
  return findings;
}

function envelopeFindings(event: JsonObject): Finding[] {
  const findings: Finding[] = [];
  if (ENVELOPE.check(event)) return findings;
  const told = new Set<string>();
  for (const error of ENVELOPE.errors(event)) {
    if (told.has(error.member)) continue; // one rule per member, told once
    told.add(error.member);
    findings.push(
      error.member === "spec"
        ? specFinding(event["spec"], error)
        : toFinding(ruleEnforced(envelopeSchema, error.pointer) ?? "aop/envelope-payload", error),
    );
  }
  return findings;
}

function specFinding(spec: unknown, error: ShapeError): Finding {
  if (typeof spec === "string" && /^aop\/[0-9]+(?:\.|$)/.test(spec)) {
    return {
      rule: "aop/spec-major",
      pointer: "/spec",
      message: `${quoteJsonValue(spec)} is not a version 1 of AOP; aop/1.0 to aop/1.x are known.`,
    };
  }
  if (typeof spec === "string") {
    return { rule: "aop/envelope-spec", pointer: "/spec", message: `\`spec\` must be "aop/1.0"; found ${quoteJsonValue(spec)}.` };
  }
  return toFinding("aop/envelope-spec", error);
}

function payloadFindings(event: JsonObject, shapes: Shapes | undefined, findings: Finding[]): void {
  const payload = event["payload"];
  if (payload === undefined || payload === null) {
    const message = payload === null ? "`payload` is null." : "`payload` is missing.";
    findings.push({ rule: "aop/payload-present", pointer: "/payload", message });
  } else if (!isObject(payload)) {
    findings.push({
      rule: "aop/envelope-payload",
      pointer: "/payload",
      message: `\`payload\` must be an object; found ${jsonKindOf(payload)}.`,
    });
    return;
  }
  if (shapes === undefined) return;
  const { type, payload: shape } = shapes;
  const members = payloadOf(event);
  if (shape.check(members)) return;
  for (const error of shape.errors(members)) {
    if (!concerns(type, members, error)) continue;
    findings.push({
      rule: ruleEnforced(payloadSchemas[type], error.pointer) ?? "aop/envelope-payload",
      pointer: `/payload${error.pointer}`,
      message: error.message,
    });
  }
}

/** Ignores schema errors about the spelling that is not in use. */
function concerns(type: AopType, payload: JsonObject, error: ShapeError): boolean {
  for (const { field, others } of AOP_ALIASES[type]) {
    if (error.member === field && error.keyword === "required") {
      return requiredFields[type].includes(field) && others.every(({ names }) => readSpelling(names, payload) === undefined);
    }
    if (error.member !== field && others.some(({ names }) => names.includes(error.member))) {
      return error.keyword !== "required" && payload[field] === undefined;
    }
  }
  return true;
}

function toFinding(rule: string, error: ShapeError): Finding {
  return { rule, pointer: error.pointer, message: error.message };
}

function readMessage(value: JsonObject): ProtocolReading {
  const type = value["kind"] === "alert" ? "alert" : "connected";
  return {
    protocol: "aop",
    kind: "message",
    type,
    value,
    eventId: undefined,
    sessionId: undefined,
    agentId: undefined,
    findings: NO_FINDINGS,
  };
}

function usableId(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && value.length <= MAX_USABLE_ID ? value : undefined;
}
