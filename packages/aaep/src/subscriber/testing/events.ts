import { CORE_CONTEXT, type JsonObject } from "@earshot/protocol";

let count = 0;

/** A valid AAEP event with a test's changes. */
export function testEvent(local: string, more: JsonObject = {}): JsonObject {
  count++;
  return {
    "@context": CORE_CONTEXT,
    type: `aaep:agent.${local}`,
    event_id: `evt_${count}`,
    session_id: "sess_1",
    timestamp: "2026-07-01T09:00:00.000Z",
    producer: { agent_id: "deploy-bot" },
    localization_hints: { primary_language: "en" },
    ...more,
  };
}

export function confirmationEvent(token: string, more: JsonObject = {}): JsonObject {
  return testEvent("awaiting.confirmation", {
    urgency: "critical",
    action: "Drop table orders_old.",
    consequence: "41,200 rows are lost.",
    reply_token: token,
    timeout_seconds: 300,
    default_decision: "reject",
    ...more,
  });
}

export function receivedTextOf(value: object): { readonly text: string } {
  return { text: JSON.stringify(value) };
}
