import type { TSchema } from "typebox";
import { type Finding, NO_FINDINGS } from "../finding.ts";
import { isObject, type JsonObject } from "../json.ts";
import { pointerTo } from "../problem.ts";
import type { ProtocolReading, ReadingFacts } from "../protocol.ts";
import { lazyShape, quoteJsonValue, ruleEnforced, type Shape, type ShapeError, shapeFindings } from "../schema.ts";
import { readTimestamp } from "../timestamp.ts";
import { checkTimestamp, checkType } from "./envelope.ts";
import { aaepEventSchema, aaepEventSchemas } from "./events.ts";
import { checkExtensions } from "./extensions.ts";
import { checkFilterPatterns, checkRequest } from "./handshake.ts";
import { aaepMessageSchemas } from "./messages.ts";
import { CORE_CONTEXT, type CoreType, isMessageType, MANIFEST_TYPE, type MessageType, readTypeName, type TypeName } from "./names.ts";
import { addNote, beginNotes, noteAll, takeNotes } from "./notes.ts";
import { checkCompletionHint } from "./outputs.ts";
import { checkSteps } from "./progress.ts";
import { checkChoices, checkDefault } from "./questions.ts";
import type { AaepRuleId } from "./rules.ts";
import { adviseSummary, checkChunkStart, checkMembers, SUMMARIZED } from "./texts.ts";
import { adviseErrorMessage } from "./tools.ts";

/** Scores how closely an object's member names match AAEP. Any of them may be missing. */
export function recogniseAaep(value: JsonObject): number {
  if (value["@context"] === CORE_CONTEXT && value["event_id"] !== undefined) return 100;
  let score = 0;
  if (value["@context"] !== undefined) score += 40;
  if (value["event_id"] !== undefined) score += 25;
  if (value["producer"] !== undefined) score += 25;
  if (value["aaep_version"] !== undefined) score += 30;
  const type = value["type"];
  if (typeof type === "string") {
    if (type.startsWith("aaep:") || type.startsWith("https://aaep-protocol.org/")) score += 50;
    else if (isMessageType(type)) score += 60;
    else if (/^(?:subscription|confirmation|clarification)\./.test(type)) score += 30;
    else if (type.startsWith("agent.") || /^[A-Za-z][A-Za-z0-9_-]*:[^\s/]/.test(type)) score += 15;
  }
  if (value["session_id"] !== undefined) score += 5;
  if (value["reply_token"] !== undefined || value["subscription_id"] !== undefined) score += 20;
  return Math.min(score, 100);
}

export function readAaep(value: JsonObject, facts: ReadingFacts): ProtocolReading {
  const type = value["type"];
  if (typeof type === "string") {
    const name = readTypeName(type);
    if (name.form === "message") return readMessage(value, type as MessageType, facts);
    if (name.prefix === "aaep" && name.local === MANIFEST_TYPE) return readMessage(value, MANIFEST_TYPE, facts);
    if (isExtensionMessage(value, name)) return message(value, type, NO_FINDINGS);
    if (name.form === "malformed" && /^(?:subscription|confirmation|clarification)\./.test(type) && value["event_id"] === undefined) {
      return message(value, type, [
        { rule: "aaep/message-defined", message: `There is no message ${quoteJsonValue(type)}.`, pointer: "/type" },
      ]);
    }
    return readEvent(value, name, facts);
  }
  return readEvent(value, undefined, facts);
}

const SHAPES = new Map<string, Shape>([["envelope", lazyShape(() => aaepEventSchema)]]);
for (const [name, schema] of Object.entries({ ...aaepEventSchemas, ...aaepMessageSchemas }))
  SHAPES.set(
    name,
    lazyShape(() => schema),
  );

function shapeOf(name: CoreType | MessageType | typeof MANIFEST_TYPE | "envelope"): Shape {
  return SHAPES.get(name) as Shape;
}

function readMessage(value: JsonObject, type: MessageType | typeof MANIFEST_TYPE, facts: ReadingFacts): ProtocolReading {
  const shape = shapeOf(type);
  const rule = ruleEnforced(aaepMessageSchemas[type], "") as AaepRuleId;
  beginNotes();
  if (!shape.check(value)) noteAll(shapeFindings(shape, value, () => rule, "The message"));
  else if (typeof value["timestamp"] === "string" && readTimestamp(value["timestamp"]) === undefined) {
    addNote(rule, `${quoteJsonValue(value["timestamp"])} is no real instant.`, "/timestamp");
  }
  if (facts.unsafeInteger !== undefined) addNote("aaep/integer-range", "An integer is past 2^53.", facts.unsafeInteger);
  if (type === "subscription.request") checkRequest(value["capabilities"]);
  for (const field of ["capabilities", "honored_capabilities"]) checkFilterPatterns(value[field], field);
  return message(value, type, takeNotes());
}

/** Extensions may define their own messages, such as replies to their own questions; these are not validated. */
function isExtensionMessage(value: JsonObject, name: TypeName): boolean {
  return name.form === "compact" && name.prefix !== "aaep" && value["@context"] === undefined && value["event_id"] === undefined;
}

function message(value: JsonObject, type: string, findings: readonly Finding[]): ProtocolReading {
  return { protocol: "aaep", kind: "message", type, value, eventId: undefined, sessionId: undefined, agentId: undefined, findings };
}

function readEvent(value: JsonObject, name: TypeName | undefined, facts: ReadingFacts): ProtocolReading {
  const core = name?.core;
  const shape = shapeOf(core ?? "envelope");
  beginNotes();
  if (!shape.check(value))
    noteAll(shapeFindings(shape, value, (error) => ruleFor(error, core === undefined ? aaepEventSchema : aaepEventSchemas[core])));
  if (name !== undefined && (core === undefined || name.form !== "compact")) checkType(value, name);
  checkTimestamp(value);
  checkMembers(value, core, facts);
  if (value["extensions"] !== undefined || (name !== undefined && core === undefined)) checkExtensions(value, name);
  if (core !== undefined) checkPayload(value, core);
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
    findings: takeNotes(),
  };
}

const REQUIRED: ReadonlySet<string> = new Set(aaepEventSchema.required);

/** Returns the rule that a nonconforming member breaks. */
function ruleFor({ member, keyword, pointer }: ShapeError, schema: TSchema): string | undefined {
  // `checkDefault` and `checkChoices` report the two conditions across fields, with the field concerned.
  if (keyword === "if" || keyword === "allOf") return undefined;
  if (keyword === "required" && REQUIRED.has(member) && pointer === pointerTo(member)) return "aaep/required-fields";
  if (keyword === "minProperties") return "aaep/progress-not-empty" satisfies AaepRuleId;
  return ruleEnforced(schema, pointer);
}

/** Checks the payload beyond its schema: clauses across fields, and recommendations. */
function checkPayload(value: JsonObject, core: CoreType): void {
  if (SUMMARIZED.has(core)) adviseSummary(value);
  switch (core) {
    case "agent.progress.updated":
      checkSteps(value);
      return;
    case "agent.output.streaming":
      checkCompletionHint(value);
      checkChunkStart(value);
      return;
    case "agent.tool.completed":
      adviseErrorMessage(value);
      return;
    case "agent.awaiting.confirmation":
      checkDefault(value);
      return;
    case "agent.awaiting.clarification":
      checkChoices(value);
      return;
    default:
  }
}
