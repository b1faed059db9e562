import type {
  ClarificationReply,
  ConfirmationReply,
  SubscriptionClose,
  SubscriptionRenegotiate,
  SubscriptionRequest,
} from "@earshot/protocol";
import {
  AAEP,
  isMessageType,
  isObject,
  type JsonObject,
  type MessageType,
  type Problem,
  type ReadingFacts,
  readJson,
} from "@earshot/protocol";

/** The five subscriber messages, and messages outside AAEP. */
export type SubscriberMessage =
  | SubscriptionRequest
  | SubscriptionRenegotiate
  | SubscriptionClose
  | ConfirmationReply
  | ClarificationReply
  | { readonly type: "other"; readonly message: JsonObject };

export type MessageReading = { readonly ok: true; readonly said: SubscriberMessage } | { readonly ok: false; readonly problem: Problem };

const SAID_BY_SUBSCRIBERS: ReadonlySet<MessageType> = new Set([
  "subscription.request",
  "subscription.renegotiate",
  "subscription.close",
  "confirmation.reply",
  "clarification.reply",
]);

/** Bounded like an event; the transport limits the size. */
const LIMITS = { maxDepth: 32, maxCharacters: 1 << 20 };

/** Parses a message. */
export function readMessageText(text: string): MessageReading {
  const json = readObjectText(text);
  return json.ok ? readMessage(json.value) : json;
}

export function readObjectText(
  text: string,
): { readonly ok: true; readonly value: JsonObject } | { readonly ok: false; readonly problem: Problem } {
  const read = readJson(text, LIMITS);
  if (!read.ok) return read;
  if (!isObject(read.value)) return { ok: false, problem: { code: "NOT_AN_OBJECT", message: "A message is a JSON object." } };
  return { ok: true, value: read.value };
}

export function readMessage(value: JsonObject): MessageReading {
  const type = value["type"];
  if (typeof type !== "string" || !isMessageType(type)) return { ok: true, said: { type: "other", message: value } };
  if (!SAID_BY_SUBSCRIBERS.has(type)) {
    return { ok: false, problem: { code: "MESSAGE_INVALID", message: `${type} is for producers to say.`, pointer: "/type" } };
  }
  // Only the form is checked here; the negotiation handles unwise requests.
  const shape = `aaep/${type.replace(".", "-")}`;
  const wrong = AAEP.read(value, NO_FACTS).findings.find(({ rule }) => rule === shape);
  if (wrong !== undefined) {
    const { rule, message, pointer } = wrong;
    return { ok: false, problem: { code: "MESSAGE_INVALID", message, rule, ...(pointer === undefined ? {} : { pointer }) } };
  }
  // Checked by the schema of its type above.
  return { ok: true, said: value as unknown as SubscriberMessage };
}

const NO_FACTS: ReadingFacts = {
  depth: 1,
  unsafeInteger: undefined,
  firstNull: undefined,
  sizeBytes: 0,
  bodyHash: 0,
};
