import { JSON_ONLY } from "../access/gate.ts";
import type { AccessPorts } from "./access.ts";
import { answerHook, type HookCallPorts } from "./answer-hook.ts";
import { readHookAddress } from "./hook-address.ts";
import { letInPlain, type PlainPost, type ShortWay, tellFailure } from "./plain-post.ts";

export interface HookWayPorts extends AccessPorts {
  readonly hooks: HookCallPorts;
  readonly onFailure: (error: unknown) => void;
}

const NEEDS = { access: "producer", takes: JSON_ONLY } as const;
const PATIENCE_MS = 10_000;

/** The short way (see short-way.ts) of what a coding agent's hook was given: an agent stands still meanwhile. */
export function createShortWayOfHooks({ hooks, onFailure, ...access }: HookWayPorts): ShortWay {
  return (post) => {
    const address = readHookAddress(post.url);
    const caller = address === undefined ? undefined : letInPlain(post, NEEDS, access);
    if (address === undefined || caller === undefined) return false;
    const { headers, size } = post;
    answerHook({ headers, size, ...address, name: caller.name, readBody: () => bodyOf(post), gone: goneFrom(post) }, hooks).then(
      ({ answer }) => post.answer(answer),
      (error: unknown) => post.answer(tellFailure(error, onFailure)),
    );
    return true;
  };
}

function bodyOf(post: PlainPost): Promise<Buffer> {
  return new Promise((take, giveUp) => post.gather(PATIENCE_MS, { take, giveUp }));
}

/** Says that whoever asked has gone. */
function goneFrom(post: PlainPost): AbortSignal {
  const controller = new AbortController();
  post.once("close", () => {
    if (!post.isAnswered) controller.abort(); // after an answer nobody listens for this
  });
  return controller.signal;
}
