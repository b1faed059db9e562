import type { SubscriptionAccepted, SubscriptionRejected } from "@earshot/protocol";
import { isObject, type JsonObject } from "@earshot/protocol";
import { EarshotError } from "@earshot/protocol/problem";

type HandshakeAnswer =
  | { readonly ok: true; readonly accepted: SubscriptionAccepted }
  | { readonly ok: false; readonly rejected: SubscriptionRejected };

const SUBSCRIPTION = /^sub_[A-Za-z0-9]{1,64}$/;

/**
 * What a producer answers to a request; undefined where it is no such answer. A refusal for reasons of a later version is
 * still one. Throws where somebody accepted in a form that cannot be relied on.
 */
export function readHandshake(message: JsonObject | undefined): HandshakeAnswer | undefined {
  if (message === undefined) return undefined;
  if (message["type"] === "subscription.rejected") return { ok: false, rejected: readRejected(message) };
  if (message["type"] !== "subscription.accepted") return undefined;
  const { subscription_id: id, honored_capabilities: honored, producer } = message;
  const isUsable = typeof id === "string" && SUBSCRIPTION.test(id) && isObject(honored) && isObject(producer);
  if (!isUsable) throw new EarshotError({ code: "PRODUCER_REFUSED", message: "The producer accepted in a form that cannot be read." });
  return { ok: true, accepted: message as unknown as SubscriptionAccepted };
}

function readRejected({ reason_code, reason_message, retry_after_seconds }: JsonObject): SubscriptionRejected {
  const seconds = typeof retry_after_seconds === "number" && retry_after_seconds >= 0 ? Math.min(retry_after_seconds, 86_400) : undefined;
  return {
    type: "subscription.rejected",
    // Codes that later versions add are passed on as they are.
    reason_code: (typeof reason_code === "string" ? reason_code : "unknown") as SubscriptionRejected["reason_code"],
    reason_message: typeof reason_message === "string" ? reason_message : "",
    ...(seconds === undefined ? {} : { retry_after_seconds: seconds }),
  };
}
