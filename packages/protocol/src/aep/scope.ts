import { brief } from "../brief.ts";
import { isObject } from "../json.ts";
import type { Reading } from "../protocol.ts";

/** Where an action id means one action: a session, or a conversation whose sessions are not told apart. */
export type ScopeKind = "session" | "conversation";

/** The conversation of an event that does not name its session. */
export function conversationOf({ value: { session } }: Reading): string | undefined {
  const id = isObject(session) ? session["conversation_id"] : undefined;
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** The length in front keeps two agents apart whatever characters their names have. */
export function keyFor(kind: ScopeKind, agent: string, id: string): string {
  const owner = brief(agent);
  return `${kind === "session" ? "s" : "c"}${owner.length} ${owner}${brief(id)}`;
}

/** The session id in a key, in brief; undefined for a conversation. */
export function sessionOf(key: string | undefined): string | undefined {
  if (key?.startsWith("s") !== true) return undefined;
  const space = key.indexOf(" ");
  return key.slice(space + 1 + Number(key.slice(1, space)));
}
