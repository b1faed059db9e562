import { JSON_ONLY } from "../access/gate.ts";
import type { AccessPorts } from "./access.ts";
import { answerHook, type HookCallPorts } from "./answer-hook.ts";
import { readHookAddress } from "./hook-address.ts";
import { isJsonPost, letInPlain, type ShortWay, sendPlain, tellFailure } from "./plain-post.ts";

export interface HookWayPorts extends AccessPorts {
  readonly hooks: HookCallPorts;
  readonly onFailure: (error: unknown) => void;
}

const NEEDS = { access: "producer", takes: JSON_ONLY } as const;

/** The short way (see short-way.ts) of what a coding agent's hook was given: an agent stands still meanwhile. */
export function createShortWayOfHooks({ hooks, onFailure, ...access }: HookWayPorts): ShortWay {
  return (request, response) => {
    const address = isJsonPost(request) ? readHookAddress(request.url ?? "") : undefined;
    if (address === undefined) return false;
    const caller = letInPlain(request, response, NEEDS, access);
    if (caller === undefined) return false;
    answerHook({ request, response, ...address, name: caller.name }, hooks).then(
      ({ answer }) => sendPlain(response, answer),
      (error: unknown) => sendPlain(response, tellFailure(error, onFailure)),
    );
    return true;
  };
}
