import { type Finding, NO_FINDINGS } from "../finding.ts";
import { isObject, type JsonObject } from "../json.ts";
import { pointerTo } from "../problem.ts";
import type { Reading, ReadingFacts } from "../protocol.ts";
import { clip, compileShape, type Shape, type ShapeError, shapeFindings, show } from "../schema.ts";
import { secretIn } from "../secrets.ts";
import { readTimestamp } from "../timestamp.ts";
import { aaepEventSchema, aaepEventSchemas, CORE_FIELDS } from "./events.ts";
import { aaepMessageSchemas } from "./messages.ts";
import {
  CORE_CONTEXT,
  CORE_TYPES,
  type CoreType,
  isMessageType,
  MANIFEST_TYPE,
  type MessageType,
  readTypeName,
  type TypeName,
} from "./names.ts";
import type { AaepRuleId } from "./rules.ts";

/** How much an object looks like AAEP, by its member names: it may lack any of them and still be told. */
export function recogniseAaep(value: JsonObject): number {
  let score = 0;
  if (value["@context"] !== undefined) score += 40;
  if (value["event_id"] !== undefined) score += 25;
  if (value["producer"] !== undefined) score += 25;
  if (value["aaep_version"] !== undefined) score += 30;
  const type = value["type"];
  if (typeof type === "string") {
    if (type.startsWith("aaep:") || type.startsWith("https://aaep-protocol.org/")) score += 50;
    else if (isMessageType(type)) score += 60;
    else if (type.startsWith("agent.") || /^(?:subscription|confirmation|clarification)\./.test(type)) score += 15;
  }
  if (value["session_id"] !== undefined) score += 5;
  if (value["reply_token"] !== undefined) score += 20;
  return Math.min(score, 100);
}

export function readAaep(value: JsonObject, facts: ReadingFacts): Reading {
  const type = value["type"];
  if (typeof type === "string") {
    const name = readTypeName(type);
    if (name.form === "message") return readMessage(value, type as MessageType);
    if (name.prefix === "aaep" && name.local === MANIFEST_TYPE) return readMessage(value, MANIFEST_TYPE);
    if (name.form === "malformed" && /^(?:subscription|confirmation|clarification)\./.test(type) && value["event_id"] === undefined) {
      return message(value, type, [finding("aaep/message-defined", `There is no message ${show(type)}.`, "/type")]);
    }
    return readEvent(value, name, facts);
  }
  return readEvent(value, undefined, facts);
}

// Compiled at first use: a stream uses a few types, and compiling all would delay every start.
const shapes = new Map<string, Shape>();
function shapeOf(name: CoreType | MessageType | typeof MANIFEST_TYPE | "envelope"): Shape {
  const known = shapes.get(name);
  if (known !== undefined) return known;
  const schema =
    name === "envelope"
      ? aaepEventSchema
      : name in aaepEventSchemas
        ? aaepEventSchemas[name as CoreType]
        : aaepMessageSchemas[name as MessageType];
  const shape = compileShape(schema);
  shapes.set(name, shape);
  return shape;
}

const MESSAGE_RULES: Record<MessageType | typeof MANIFEST_TYPE, AaepRuleId> = {
  "subscription.request": "aaep/subscription-request",
  "subscription.accepted": "aaep/subscription-accepted",
  "subscription.rejected": "aaep/subscription-rejected",
  "subscription.renegotiate": "aaep/subscription-renegotiate",
  "subscription.close": "aaep/subscription-close",
  "confirmation.reply": "aaep/confirmation-reply",
  "clarification.reply": "aaep/clarification-reply",
  "producer.manifest": "aaep/manifest",
};

function readMessage(value: JsonObject, type: MessageType | typeof MANIFEST_TYPE): Reading {
  const shape = shapeOf(type);
  if (!shape.check(value))
    return message(
      value,
      type,
      shapeFindings(shape, value, () => MESSAGE_RULES[type]),
    );
  const stamp = value["timestamp"];
  if (typeof stamp === "string" && readTimestamp(stamp) === undefined) {
    return message(value, type, [finding(MESSAGE_RULES[type], `${show(stamp)} is no real instant.`, "/timestamp")]);
  }
  return message(value, type, NO_FINDINGS);
}

function message(value: JsonObject, type: string, findings: readonly Finding[]): Reading {
  return { protocol: "aaep", kind: "message", type, value, eventId: undefined, sessionId: undefined, agentId: undefined, findings };
}

function readEvent(value: JsonObject, name: TypeName | undefined, facts: ReadingFacts): Reading {
  const core = name?.core;
  const shape = shapeOf(core ?? "envelope");
  let findings: Finding[] | undefined;
  const add = (found: Finding) => {
    findings ??= [];
    findings.push(found);
  };
  if (!shape.check(value)) for (const found of shapeFindings(shape, value, (error) => ruleFor(error, core))) add(found);
  checkType(value, name, add);
  checkTimestamp(value, add);
  checkLimits(value, core, facts, add);
  if (value["extensions"] !== undefined || (name !== undefined && core === undefined)) checkExtensions(value, name, add);
  if (value["aaep_version"] !== undefined) checkVersion(value["aaep_version"], add);
  checkText(value, add);
  if (core !== undefined) checkPayload(value, core, add);
  const { event_id: eventId, session_id: sessionId, producer } = value;
  const agentId = isObject(producer) ? producer["agent_id"] : undefined;
  return {
    protocol: "aaep",
    kind: "event",
    type: core ?? (name === undefined ? "?" : name.prefix === "" ? name.local : `${name.prefix}:${name.local}`),
    value,
    eventId: typeof eventId === "string" ? eventId : undefined,
    sessionId: typeof sessionId === "string" ? sessionId : undefined,
    agentId: typeof agentId === "string" ? agentId : undefined,
    findings: findings ?? NO_FINDINGS,
  };
}

const FIELD_RULES: Readonly<Record<string, AaepRuleId>> = {
  "@context": "aaep/context",
  type: "aaep/type-form",
  event_id: "aaep/event-id",
  session_id: "aaep/session-id",
  timestamp: "aaep/timestamp",
  producer: "aaep/producer",
  aaep_version: "aaep/version",
  sequence_number: "aaep/sequence-number",
  verbosity: "aaep/verbosity",
  urgency: "aaep/urgency",
  localization_hints: "aaep/localization-hints",
  correlation_id: "aaep/correlation-id",
  extensions: "aaep/extensions-objects",
};
const REQUIRED = new Set(["@context", "type", "event_id", "session_id", "timestamp", "producer"]);
const CRITICAL: Partial<Record<CoreType, AaepRuleId>> = {
  "agent.session.errored": "aaep/errored-is-critical",
  "agent.awaiting.confirmation": "aaep/confirmation-is-critical",
  "agent.awaiting.clarification": "aaep/clarification-is-critical",
  "agent.handoff.requested": "aaep/handoff-is-critical",
};
const PAYLOAD_RULES: Record<CoreType, AaepRuleId> = {
  "agent.session.started": "aaep/session-started-payload",
  "agent.session.completed": "aaep/session-completed-payload",
  "agent.session.errored": "aaep/session-errored-payload",
  "agent.session.cancelled": "aaep/session-cancelled-payload",
  "agent.state.changed": "aaep/state-changed-payload",
  "agent.progress.updated": "aaep/progress-updated-payload",
  "agent.tool.invoked": "aaep/tool-invoked-payload",
  "agent.tool.completed": "aaep/tool-completed-payload",
  "agent.output.streaming": "aaep/output-streaming-payload",
  "agent.awaiting.confirmation": "aaep/awaiting-confirmation-payload",
  "agent.awaiting.clarification": "aaep/awaiting-clarification-payload",
  "agent.handoff.requested": "aaep/handoff-requested-payload",
};

/** The rule that owns the member a shape error is about. */
function ruleFor(error: ShapeError, core: CoreType | undefined): AaepRuleId | undefined {
  const { member, keyword, pointer } = error;
  // The two conditions across fields are told by `checkDefault` and `checkChoices`, with the field concerned.
  if (keyword === "if" || keyword === "allOf") return undefined;
  if (keyword === "required" && REQUIRED.has(member) && pointer === pointerTo(member)) return "aaep/required-fields";
  if (core !== undefined) {
    if (member === "urgency" && CRITICAL[core] !== undefined) return CRITICAL[core];
    if (core === "agent.progress.updated" && keyword === "minProperties") return "aaep/progress-not-empty";
    return FIELD_RULES[member] ?? PAYLOAD_RULES[core];
  }
  return FIELD_RULES[member] ?? "aaep/required-fields";
}

function checkType(value: JsonObject, name: TypeName | undefined, add: (found: Finding) => void): void {
  if (name === undefined) return;
  if (name.form === "malformed") {
    if (value["type"] === "") return;
    const local = (CORE_TYPES as readonly string[]).includes(name.local);
    add({
      ...finding("aaep/type-form", `${show(value["type"])} is neither prefix:name nor a URI.`, "/type"),
      ...(local ? { hint: `Write "aaep:${name.local}".` } : {}),
    });
  } else if (name.prefix === "aaep" && name.core === undefined) {
    add(finding("aaep/type-defined", `${show(value["type"])} is not one of the twelve core types.`, "/type"));
  } else if (name.prefix === "aaep" && name.form === "uri") {
    add(finding("aaep/type-compact", `${show(value["type"])} is written in full.`, "/type"));
  }
}

function checkTimestamp(value: JsonObject, add: (found: Finding) => void): void {
  const stamp = value["timestamp"];
  if (typeof stamp !== "string") return;
  const instant = readTimestamp(stamp);
  if (instant === undefined) {
    // Forms that the schema refuses are told there; what remains are days and times that do not exist.
    if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/.test(stamp))
      add(finding("aaep/timestamp", `${show(stamp)} is no real instant.`, "/timestamp"));
  } else if (instant.fractionDigits !== 3 && instant.fractionDigits !== 0 && instant.fractionDigits !== 6) {
    add(finding("aaep/timestamp-precision", `The fraction has ${instant.fractionDigits} digits.`, "/timestamp"));
  }
}

const MAX_BYTES = 64 * 1024;

function checkLimits(value: JsonObject, core: CoreType | undefined, facts: ReadingFacts, add: (found: Finding) => void): void {
  if (facts.sizeBytes > MAX_BYTES) add(finding("aaep/size", `The event has ${facts.sizeBytes.toLocaleString("en")} bytes.`));
  // The event itself is the first level; its payload begins below.
  if (facts.depth > 9) add(finding("aaep/nesting", `The payload is nested ${facts.depth - 1} levels deep.`));
  if (facts.unsafeInteger !== undefined) add(finding("aaep/integer-range", "An integer is past 2^53.", facts.unsafeInteger));
  const known = core === undefined ? undefined : CORE_FIELDS[core];
  let fields = 0;
  for (const key in value) {
    fields++;
    if (known !== undefined && !known.has(key))
      add(finding("aaep/no-custom-fields", `\`${clip(key)}\` is no field of this event.`, pointerTo(key)));
    const member = value[key];
    if (typeof member === "string" && member.length > 16_384 && (key === "correlation_id" || known?.has(key) !== true)) {
      add(finding("aaep/string-length", `\`${clip(key)}\` has ${member.length.toLocaleString("en")} characters.`, pointerTo(key)));
    }
  }
  if (fields > 31 || value["extensions"] !== undefined) {
    const extensions = isObject(value["extensions"]) ? Object.keys(value["extensions"]).length : 0;
    if (fields + extensions > 32) add(finding("aaep/field-count", `The event has ${fields + extensions} fields.`));
  }
}

const RESERVED_PREFIXES = new Set(["aaep", "xsd", "rdf", "rdfs"]);

function checkExtensions(value: JsonObject, name: TypeName | undefined, add: (found: Finding) => void): void {
  const used = new Map<string, string>();
  if (name !== undefined && name.form === "compact" && name.prefix !== "aaep") used.set(name.prefix, "/type");
  const { extensions } = value;
  if (isObject(extensions))
    for (const prefix of Object.keys(extensions)) if (!used.has(prefix)) used.set(prefix, pointerTo("extensions", prefix));
  const context = value["@context"];
  const declared = Array.isArray(context) ? context.filter((uri): uri is string => typeof uri === "string" && uri !== CORE_CONTEXT) : [];
  let unclear = 0;
  for (const [prefix, pointer] of used) {
    if (RESERVED_PREFIXES.has(prefix) || prefix.startsWith("@")) {
      add(finding("aaep/extension-prefix", `The prefix ${show(prefix)} is reserved.`, pointer));
    } else if (declared.length === 0) {
      add(finding("aaep/extension-declared", `The prefix ${show(prefix)} is used, and @context declares no extension.`, pointer));
    } else if (!declared.some((uri) => uri.toLowerCase().includes(prefix.toLowerCase()))) {
      unclear++;
      if (used.size > declared.length)
        add(
          finding(
            "aaep/extension-declared",
            `The prefix ${show(prefix)} is used; @context declares fewer extensions than are used.`,
            pointer,
          ),
        );
      else if (unclear === 1)
        add(finding("aaep/extension-declared-clearly", `No @context entry names the prefix ${show(prefix)}.`, pointer));
    }
  }
}

function checkVersion(version: unknown, add: (found: Finding) => void): void {
  if (typeof version !== "string" || version === "1.0.0" || version === "0.1.0-draft" || !/^\d+\.\d+\.\d+/.test(version)) return;
  add(finding("aaep/version-known", `${show(version)} is no published version.`, "/aaep_version"));
}

/** Every top-level string that may be shown or spoken. */
const SPOKEN = [
  "summary_normal",
  "summary_terse",
  "summary_detailed",
  "args_summary",
  "chunk",
  "action",
  "consequence",
  "question",
  "reason",
  "request_text",
  "output_summary",
  "error_message",
  "remediation_hint",
  "partial_result",
  "context",
  "description",
  "default_response",
] as const;

function checkText(value: JsonObject, add: (found: Finding) => void): void {
  let spoken = false;
  for (const field of SPOKEN) {
    const words = value[field];
    if (typeof words !== "string" || words === "") continue;
    spoken = true;
    const secret = secretIn(words);
    if (secret !== undefined) add(finding("aaep/no-secrets", `\`${field}\` seems to contain a secret (${secret}).`, pointerTo(field)));
  }
  if (!spoken) return;
  const hints = value["localization_hints"];
  if (hints === undefined || (isObject(hints) && hints["primary_language"] === undefined)) {
    add(finding("aaep/localization-declared", "The event has text for people and does not say in which language.", "/localization_hints"));
  }
}

function checkPayload(value: JsonObject, core: CoreType, add: (found: Finding) => void): void {
  switch (core) {
    case "agent.progress.updated": {
      const progress = value["progress"];
      if (!isObject(progress)) return;
      const { step, total_steps: total } = progress;
      if (typeof step === "number" && typeof total === "number" && step > total)
        add(finding("aaep/progress-step-within-total", `Step ${step} of ${total}.`, "/progress/step"));
      return;
    }
    case "agent.tool.completed":
      if ((value["status"] === "error" || value["status"] === "timeout") && value["error_message"] === undefined) {
        add(finding("aaep/error-message-advised", `The status is ${show(value["status"])}, and nothing says why.`, "/error_message"));
      }
      adviseSummary(value, add);
      return;
    case "agent.awaiting.confirmation":
      checkDefault(value, add);
      adviseSummary(value, add);
      return;
    case "agent.awaiting.clarification":
      checkChoices(value, add);
      adviseSummary(value, add);
      return;
    case "agent.handoff.requested":
      adviseSummary(value, add);
      return;
    default:
  }
}

function checkDefault(value: JsonObject, add: (found: Finding) => void): void {
  const { irreversible, reversibility, risk_level: risk } = value;
  if ((irreversible === true && reversibility === "reversible") || (irreversible === false && reversibility === "irreversible")) {
    add(
      finding(
        "aaep/reversibility-consistent",
        `irreversible is ${irreversible}, and reversibility is ${show(reversibility)}.`,
        "/reversibility",
      ),
    );
  }
  if (value["default_decision"] !== "accept") return;
  const final = irreversible === true || reversibility === "irreversible";
  if (final && risk !== "low") {
    const stated = risk === undefined ? "unstated" : show(risk);
    add(finding("aaep/default-decision-safe", `An irreversible action of ${stated} risk defaults to accept.`, "/default_decision"));
  } else if (final || risk === "high") {
    add(
      finding(
        "aaep/default-decision-advised",
        `${final ? "An irreversible action of low risk" : "An action of high risk"} defaults to accept.`,
        "/default_decision",
      ),
    );
  }
}

function checkChoices(value: JsonObject, add: (found: Finding) => void): void {
  const kinds = value["accepted_response_kinds"];
  if (!Array.isArray(kinds) || !kinds.includes("multiple_choice") || value["choices"] !== undefined) return;
  add(finding("aaep/choices-needed", "multiple_choice is accepted, and there are no choices.", "/choices"));
}

function adviseSummary(value: JsonObject, add: (found: Finding) => void): void {
  if (value["summary_normal"] === undefined) add(finding("aaep/summary-advised", "The event has no summary_normal.", "/summary_normal"));
}

function finding(rule: AaepRuleId, message: string, pointer?: string): Finding {
  return pointer === undefined ? { rule, message } : { rule, message, pointer };
}
