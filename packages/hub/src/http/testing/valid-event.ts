import type { ProtocolName } from "@earshot/protocol";

type Members = Readonly<Record<string, unknown>>;

export const ALL_PROTOCOLS: readonly ProtocolName[] = ["aaep", "aep", "aop"];

let count = 0;

/** A valid event with a new id or number and a test's changes. */
export function validEvent(protocol: ProtocolName, changed: Members = {}): Members {
  count += 1;
  return { ...GOOD[protocol](count), ...changed };
}

/** The same as text. */
export function validEventText(protocol: ProtocolName, changed: Members = {}): string {
  return JSON.stringify(validEvent(protocol, changed));
}

const GOOD: Readonly<Record<ProtocolName, (number: number) => Members>> = {
  aaep: (number) => ({
    "@context": "https://aaep-protocol.org/context/v1",
    type: "aaep:agent.state.changed",
    event_id: `evt_said${number}`,
    session_id: "sess_1",
    timestamp: "2026-07-01T09:00:00.000Z",
    producer: { agent_id: "query-doctor" },
    from_state: "idle",
    to_state: "thinking",
  }),
  aep: (number) => ({
    aep_version: "0.1",
    id: `evt_said_${number}`,
    type: "action.requested",
    time: "2026-05-09T12:00:01.000Z",
    agent: { slug: "claude" },
    session: { id: "session-1" },
    action: { type: "tool_call", id: `call_${number}`, input: { command: "npm test" } },
    tool: { name: "Bash", type: "native" },
  }),
  aop: (number) => ({
    spec: "aop/1.0",
    session_id: "session-1",
    agent_id: "researcher",
    sequence: number,
    timestamp: "2026-03-01T10:00:01.000Z",
    type: "cognition.thought",
    payload: { content: "The second shop may be cheaper." },
  }),
};
