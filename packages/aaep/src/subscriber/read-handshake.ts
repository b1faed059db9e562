import type { SubscriptionAccepted, SubscriptionRejected } from "@earshot/protocol";
import { isObject, type JsonObject } from "@earshot/protocol";
import { EarshotError } from "@earshot/protocol/problem";

type HandshakeAnswer =
  | { readonly ok: true; readonly accepted: SubscriptionAccepted }
  | { readonly ok: false; readonly rejected: SubscriptionRejected };

const SUBSCRIPTION = /^sub_[A-Za-z0-9]{1,64}$/;

/**
 * A producer's answer to a request; undefined for other messages. A refusal with an unknown reason still counts. Throws for an acceptance
 * in an unreliable form.
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
    // Codes of later versions are passed on unchanged.
    reason_code: (typeof reason_code === "string" ? reason_code : "unknown") as SubscriptionRejected["reason_code"],
    reason_message: typeof reason_message === "string" ? reason_message : "",
    ...(seconds === undefined ? {} : { retry_after_seconds: seconds }),
  };
}
