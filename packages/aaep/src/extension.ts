import type { SubscriptionRequest } from "@earshot/protocol";
import { isObject, type JsonObject } from "@earshot/protocol/json";

/** Earshot's additions to AAEP events, messages and manifests: declared in `@context`, stored under this prefix in `extensions`. */
export const EARSHOT_CONTEXT = "urn:earshot:aaep:v1";
export const EARSHOT_PREFIX = "earshot";

/** The message that asks to stop a session: `{type, session_id, reason?}`. AAEP has none. */
export const SESSION_STOP = "earshot:session.stop";

/**
 * The protocol itself can only resume server-sent events. On other channels a subscriber names in the extensions of its request the event
 * to resume after, or `""` the first time; a producer that supports this repeats later events and at times sends the point up to which
 * everything was sent. Others ignore it.
 */
export const RESUME_POINT = "earshot:resume.point";

const EVENT_ID = /^evt_[A-Za-z0-9]{1,64}$/;

export function withResume(request: SubscriptionRequest, lastEventId: string | undefined, token?: string): SubscriptionRequest {
  const own = { ...request.extensions?.["earshot"], resume_after: lastEventId ?? "", ...(token === undefined ? {} : { token }) };
  return { ...request, extensions: { ...request.extensions, earshot: own } };
}

/** The resume point of a request: undefined if absent, an empty text if there is nothing to resume yet. */
export function readResume({ extensions }: SubscriptionRequest): string | undefined {
  const own = extensions?.["earshot"];
  const after = isObject(own) ? own["resume_after"] : undefined;
  return typeof after === "string" && (after === "" || EVENT_ID.test(after)) ? after : undefined;
}

export function resumePoint(subscriptionId: string, eventId: string): JsonObject {
  return { type: RESUME_POINT, subscription_id: subscriptionId, event_id: eventId };
}
