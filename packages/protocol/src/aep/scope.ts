import { joinBriefly } from "../brief.ts";
import { isObject } from "../json.ts";
import type { Reading } from "../protocol.ts";

/** Where an action id means one action: a session, or a conversation whose sessions are not told apart. */
export type ScopeKind = "session" | "conversation";

/** The conversation of an event that does not name its session. */
export function conversationOf({ value: { session } }: Reading): string | undefined {
  const id = isObject(session) ? session["conversation_id"] : undefined;
  return typeof id === "string" && id !== "" ? id : undefined;
}

export function isBoundary({ type }: Reading): boolean {
  return type === "session.start" || type === "session.end";
}

export function keyFor(kind: ScopeKind, agent: string, id: string): string {
  return `${kind === "session" ? "s" : "c"}${joinBriefly(agent, id)}`;
}

/** The session id in a key, in brief; undefined for a conversation. */
export function sessionOf(key: string | undefined): string | undefined {
  if (key?.startsWith("s") !== true) return undefined;
  const space = key.indexOf(" ");
  return key.slice(space + 1 + Number(key.slice(1, space)));
}
