import type { JsonObject } from "@earshot/protocol";
import { LEDGER_START_MS } from "./open-ledger.ts";

let count = 0;

/** An AEP event of one agent; each second is unique. */
export function aepEvent(session: string, second: number, type: string, members: object = {}): JsonObject {
  count += 1;
  const time = new Date(LEDGER_START_MS + second * 1000).toISOString();
  return {
    aep_version: "0.1",
    id: `evt_${count}`,
    type,
    time,
    agent: { slug: "claude" },
    session: { id: session },
    ...members,
  } as JsonObject;
}

/** An event about one action; the request carries its input. */
export function actionEvent(session: string, second: number, what: string, id: string, members: object = {}): JsonObject {
  const { action: more, ...others } = members as { readonly action?: object };
  return aepEvent(session, second, `action.${what}`, {
    action: { type: "tool_call", id, ...more },
    tool: { name: "Bash", type: "native" },
    ...others,
  });
}

/** An AAEP event of one agent; each second is unique. */
export function aaepEventOf(session: string, second: number, type: string, members: object = {}): JsonObject {
  count += 1;
  return {
    "@context": "https://aaep-protocol.org/context/v1",
    aaep_version: "1.0.0",
    type: `aaep:${type}`,
    event_id: `evt_a${count}`,
    session_id: session,
    timestamp: new Date(LEDGER_START_MS + second * 1000).toISOString(),
    producer: { agent_id: "query-doctor" },
    ...members,
  } as JsonObject;
}
