import type { AccessPorts } from "./access.ts";
import { EVENT_ADDRESSES } from "./events.ts";
import { letInPlain, type ShortWay, tellFailure } from "./plain-post.ts";
import { type EventCall, type Intake, originOf, TAKEN, takeGathered } from "./take-events.ts";

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
  const { idleMs } = intake.limits;
  return (post) => {
    const { url, size } = post;
    const address = Object.hasOwn(EVENT_ADDRESSES, url) ? EVENT_ADDRESSES[url] : undefined;
    const caller = address === undefined ? undefined : letInPlain(post, NEEDS, access);
    if (address === undefined || caller === undefined) return false;
    const { protocol, shape } = address;
    const call: EventCall = { layout: "json", size, query: NO_QUERY, caller, protocol, shape };
    takeGathered({
      call,
      intake,
      origin: originOf(call),
      gather: (gatherer) => post.gather(idleMs, gatherer),
      answer: (said) => post.answer(said),
      fail: (error) => post.answer(tellFailure(error, onFailure)),
    });
    return true;
  };
}
