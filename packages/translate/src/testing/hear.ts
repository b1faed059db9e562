import { type JsonObject, PROTOCOLS, type ProtocolName } from "@earshot/protocol";
import type { Activity } from "../activity.ts";
import { readActivities } from "../read-activities.ts";

const FACTS = { depth: 1, unsafeInteger: undefined, firstNull: undefined, sizeBytes: 0, bodyHash: 0 };

/** An event on its way through the protocol's own reading, as a hub takes it. */
export function hear(protocol: ProtocolName, event: JsonObject): readonly Activity[] {
  const { value, sessionId, agentId, type, kind } = PROTOCOLS[protocol].read(event, FACTS);
  return readActivities(protocol, value, { session: sessionId ?? "", agent: agentId ?? "", type, kind });
}

/** What an event means, without what all of them say alike. */
export function meaning(protocol: ProtocolName, event: JsonObject): readonly Readonly<Record<string, unknown>>[] {
  return hear(protocol, event).map(
    ({ protocol: _protocol, type: _type, session: _session, agent: _agent, at: _at, eventId: _id, ...rest }) => rest,
  );
}
