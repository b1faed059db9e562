import { isObject, type JsonValue } from "@earshot/protocol";
import type { HeardAlert, HeardEntry } from "@earshot/sdk/ear";

const PROTOCOLS = ["aaep", "aep", "aop"] as const;

/** An entry as the hub sends it; undefined for what is none. */
export function readEntry(json: string): HeardEntry | undefined {
  const value = parse(json);
  if (!isObject(value)) return undefined;
  const { position, receivedAt, protocol, verified, session, kind, agent, type, event } = value;
  const known = PROTOCOLS.find((one) => one === protocol);
  if (known === undefined || typeof position !== "number" || !isObject(event)) return undefined;
  const text = (one: JsonValue | undefined) => (typeof one === "string" ? one : "");
  return {
    position,
    receivedAt: text(receivedAt),
    protocol: known,
    verified: verified === true,
    session: text(session),
    kind: text(kind),
    agent: text(agent),
    type: text(type),
    event,
  };
}

export function readAlert(json: string): HeardAlert | undefined {
  const value = parse(json);
  if (!isObject(value)) return undefined;
  const { type, agent, message, sessionId } = value;
  if (typeof type !== "string" || typeof agent !== "string" || typeof message !== "string" || typeof sessionId !== "string")
    return undefined;
  return { type, agent, message, sessionId };
}

function parse(json: string): JsonValue | undefined {
  try {
    return JSON.parse(json) as JsonValue;
  } catch {
    return undefined; // no frame of a hub
  }
}
