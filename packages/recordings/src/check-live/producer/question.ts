import { isObject, type JsonObject, readTimestamp, readTypeName } from "@earshot/protocol";
import { isTerminalType } from "@earshot/protocol/aaep-names";
import type { StreamItem } from "../peer/peer.ts";

export type QuestionKind = "confirmation" | "clarification";

/** A producer's question as a subscriber sees it. */
export interface ObservedQuestion {
  readonly item: StreamItem;
  readonly kind: QuestionKind;
  readonly token: string;
  readonly sessionId: string;
  readonly timeoutMs: number;
  readonly defaultDecision: string | undefined;
  readonly irreversible: boolean;
}

/** The local name of a core event, in any spelling; empty for other events. */
export function typeOf({ value }: StreamItem): string {
  const type = value["type"];
  if (typeof type !== "string") return "";
  return typeof value["event_id"] === "string" ? (readTypeName(type).core ?? "") : "";
}

export function sessionOf({ value }: StreamItem): string | undefined {
  return typeof value["session_id"] === "string" ? value["session_id"] : undefined;
}

export function eventIdOf({ value }: StreamItem): string | undefined {
  return typeof value["event_id"] === "string" ? value["event_id"] : undefined;
}

export function isEnd(item: StreamItem): boolean {
  return isTerminalType(typeOf(item));
}

export function stampOf({ value }: StreamItem): number | undefined {
  return typeof value["timestamp"] === "string" ? readTimestamp(value["timestamp"])?.ms : undefined;
}

export function toQuestion(item: StreamItem): ObservedQuestion | undefined {
  const type = typeOf(item);
  const kind =
    type === "agent.awaiting.confirmation" ? "confirmation" : type === "agent.awaiting.clarification" ? "clarification" : undefined;
  const { value } = item;
  const token = value["reply_token"];
  const sessionId = sessionOf(item);
  if (kind === undefined || typeof token !== "string" || sessionId === undefined) return undefined;
  return {
    item,
    kind,
    token,
    sessionId,
    timeoutMs: typeof value["timeout_seconds"] === "number" ? value["timeout_seconds"] * 1000 : Number.POSITIVE_INFINITY,
    defaultDecision: typeof value["default_decision"] === "string" ? value["default_decision"] : undefined,
    irreversible: value["irreversible"] === true || value["reversibility"] === "irreversible",
  };
}

/** Whether an event invokes the question's action: by the link that producers may mirror, otherwise by kind. */
export function invokes(item: StreamItem, question: ObservedQuestion): boolean {
  if (typeOf(item) !== "agent.tool.invoked" || item.index < question.item.index || sessionOf(item) !== question.sessionId) return false;
  return isAbout(item.value, question);
}

/** Whether an event reports the action as done. */
export function completes(item: StreamItem, question: ObservedQuestion): boolean {
  if (typeOf(item) !== "agent.tool.completed" || item.index < question.item.index || sessionOf(item) !== question.sessionId) return false;
  return isAbout(item.value, question);
}

/** Whether an event shows that the question no longer waits. */
export function settles(item: StreamItem, question: ObservedQuestion): boolean {
  if (item.index <= question.item.index || sessionOf(item) !== question.sessionId) return false;
  const { value } = item;
  const leaves =
    typeOf(item) === "agent.state.changed" && value["from_state"] === "awaiting_input" && value["to_state"] !== "awaiting_input";
  return leaves || isEnd(item) || invokes(item, question);
}

function isAbout(value: JsonObject, { item, irreversible }: ObservedQuestion): boolean {
  const context = item.value["extra_context"];
  const callId = isObject(context) ? context["tool_call_id"] : undefined;
  const tool = isObject(context) ? context["tool"] : undefined;
  if (typeof callId === "string" && typeof value["tool_call_id"] === "string") return callId === value["tool_call_id"];
  if (typeof tool === "string") return tool === value["tool"];
  return !irreversible || value["irreversible"] !== false;
}
