import type { AccessPorts } from "./access.ts";
import type { Answer } from "./answer.ts";
import { EVENT_ADDRESSES } from "./events.ts";
import { isJsonPost, letInPlain, type ShortWay, sendPlain, tellFailure } from "./plain-post.ts";
import { type EventCall, type Intake, originOf, sizeOf, TAKEN, takeGathered } from "./take-events.ts";

export interface ShortWayPorts extends AccessPorts {
  readonly intake: Intake;
  readonly onFailure: (error: unknown) => void;
}

const NEEDS = { access: "speaker", takes: TAKEN } as const;
const NO_QUERY = {};

/**
 * The way of nearly every request that a busy hub gets: one program posts one small body of JSON. The router does for it what it
 * does for all others, and most of that is not needed here. Who is let in is decided by the same gate; whatever is not plain, and
 * whoever is not let in, goes to the router, which has the same routes and says what is wrong.
 */
export function createShortWay({ intake, onFailure, ...access }: ShortWayPorts): ShortWay {
  return (request, response) => {
    const { url = "" } = request;
    const address = isJsonPost(request) && Object.hasOwn(EVENT_ADDRESSES, url) ? EVENT_ADDRESSES[url] : undefined;
    if (address === undefined) return false;
    const caller = letInPlain(request, response, NEEDS, access);
    if (caller === undefined) return false;
    const call: EventCall = { request, query: NO_QUERY, caller, protocol: address.protocol, shape: address.shape };
    const answer = (said: Answer) => {
      // What is still to come of a body that was given up must not be taken for the next request, nor waited for.
      sendPlain(response, request.complete ? said : { ...said, headers: { ...said.headers, connection: "close" } });
    };
    takeGathered({
      call,
      intake,
      origin: originOf(call),
      size: sizeOf(request),
      answer,
      fail: (error) => answer(tellFailure(error, onFailure)),
    });
    return true;
  };
}
