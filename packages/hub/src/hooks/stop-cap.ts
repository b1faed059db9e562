import type { JsonObject } from "@earshot/protocol/json";

/** An agent is sent back at most so often in one turn: some have no limit of their own. */
const MOST_BLOCKS = 3;

/** Whether an end may be held up once more, as far as the payload and what was counted before tell. */
export function mayBlockAgain(payload: JsonObject, before: number): { readonly may: boolean; readonly blocks: number } {
  const { stop_hook_active: isActive, loop_count: loops } = payload;
  const counted = isActive === true ? before : 0;
  const blocks = typeof loops === "number" && loops > counted ? loops : counted;
  return blocks >= MOST_BLOCKS ? { may: false, blocks } : { may: true, blocks: blocks + 1 };
}
