import type { JsonValue } from "@earshot/protocol/json";
import { digest } from "./digest.ts";
import { type Draft, isDraft } from "./draft.ts";

/**
 * What the hooks of one call have in common: agent, session, turn, tool and input; or, where a file says so, other parts
 * than the last two. Two calls with the same input have the same key: they are told apart by the order in which they come.
 */
export function callKey(draft: Draft, correlated: readonly JsonValue[] | undefined): string {
  const { agent, session, tool, action } = draft;
  const common = [inner(agent, "slug"), inner(session, "id"), inner(session, "turn_id")];
  const rest = correlated ?? [inner(tool, "original_name") ?? inner(tool, "name") ?? inner(action, "type"), inner(action, "input")];
  return digest([...common, ...rest]);
}

function inner(object: unknown, name: string): JsonValue {
  return isDraft(object) && object[name] !== undefined ? (object[name] as JsonValue) : null;
}
