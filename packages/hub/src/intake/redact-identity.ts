import { isObject, type JsonValue, type ProtocolName, pointerTo } from "@earshot/protocol";
import { findSecrets, mayHoldSecret } from "./redact-find.ts";

/**
 * Members that identify the event, session, agent, call or question. Masking would change the identity, so an event with a secret in one
 * of them is refused.
 */
const IDENTITY: Readonly<Record<ProtocolName, readonly string[]>> = {
  aaep: [
    "/event_id",
    "/session_id",
    "/type",
    "/producer/agent_id",
    "/agent_id",
    "/subscriber_id",
    "/subscription_id",
    "/reply_token",
    "/tool_call_id",
    "/output_id",
    "/extra_context/tool_call_id",
  ],
  aep: [
    "/id",
    "/type",
    "/agent/slug",
    "/session/id",
    "/session/conversation_id",
    "/session/turn_id",
    "/session/root_conversation_id",
    "/session/parent/conversation_id",
    "/session/parent/spawning_action_id",
    "/action/id",
    "/action_id",
    "/request_event_id",
  ],
  aop: [
    "/session_id",
    "/parent_session_id",
    "/agent_id",
    "/type",
    "/payload/tool_call_id",
    "/payload/child_session_id",
    "/payload/child_agent_id",
  ],
};

/** A signed manifest has the shape of a signed token, is public, and must not be changed. */
const PUBLIC: Readonly<Partial<Record<ProtocolName, readonly string[]>>> = { aaep: ["/signed_manifest"] };

/** Pointers to unmasked members: the `skip` of `redactJson`. */
export const IDENTITY_POINTERS: Readonly<Record<ProtocolName, ReadonlySet<string>>> = {
  aaep: pointersOf("aaep"),
  aep: pointersOf("aep"),
  aop: pointersOf("aop"),
};

const PATHS: Readonly<Record<ProtocolName, readonly (readonly string[])[]>> = {
  aaep: pathsOf("aaep"),
  aep: pathsOf("aep"),
  aop: pathsOf("aop"),
};

export interface IdentitySecret {
  readonly pointer: string;
  readonly shape: string;
}

/** The identifying member with a secret, if any. */
export function secretInIdentity(protocol: ProtocolName, value: JsonValue): IdentitySecret | undefined {
  for (const path of PATHS[protocol]) {
    let member: JsonValue | undefined = value;
    for (const name of path) member = isObject(member) ? member[name] : undefined;
    if (typeof member !== "string" || !mayHoldSecret(member)) continue;
    const shape = findSecrets(member)[0]?.shape;
    if (shape !== undefined) return { pointer: pointerTo(...path), shape };
  }
  return undefined;
}

function pathsOf(protocol: ProtocolName): readonly (readonly string[])[] {
  return IDENTITY[protocol].map((pointer) => pointer.slice(1).split("/"));
}

function pointersOf(protocol: ProtocolName): ReadonlySet<string> {
  return new Set([...IDENTITY[protocol], ...(PUBLIC[protocol] ?? [])]);
}
