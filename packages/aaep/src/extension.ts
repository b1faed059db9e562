import type { SubscriptionRequest } from "@earshot/protocol";
import { isObject, type JsonObject } from "@earshot/protocol/json";

/** What Earshot adds to AAEP, in events, messages and manifests: declared in `@context`, found under this prefix in `extensions`. */
export const EARSHOT_CONTEXT = "urn:earshot:aaep:v1";
export const EARSHOT_PREFIX = "earshot";

/** The message that asks for a session to be stopped: `{type, session_id, reason?}`. AAEP has none of its own. */
export const SESSION_STOP = "earshot:session.stop";

/**
 * Only server-sent events can be resumed by the protocol itself. On other channels a subscriber says in the extensions of its
 * request after which event it goes on, or `""` for the first time; a producer that knows this says again what followed, and now
 * and then up to which event everything was sent. Others ignore it.
 */
export const RESUME_POINT = "earshot:resume.point";

const EVENT_ID = /^evt_[A-Za-z0-9]{1,64}$/;

export function withResume(request: SubscriptionRequest, lastEventId: string | undefined, token?: string): SubscriptionRequest {
  const own = { ...request.extensions?.["earshot"], resume_after: lastEventId ?? "", ...(token === undefined ? {} : { token }) };
  return { ...request, extensions: { ...request.extensions, earshot: own } };
}

/** What a request says about resuming: undefined where it says nothing, an empty text where there is nothing to resume yet. */
export function readResume({ extensions }: SubscriptionRequest): string | undefined {
  const own = extensions?.["earshot"];
  const after = isObject(own) ? own["resume_after"] : undefined;
  return typeof after === "string" && (after === "" || EVENT_ID.test(after)) ? after : undefined;
}

export function resumePoint(subscriptionId: string, eventId: string): JsonObject {
  return { type: RESUME_POINT, subscription_id: subscriptionId, event_id: eventId };
}
