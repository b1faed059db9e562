let count = 0;

/** An AAEP confirmation asked now. */
export function confirmationNow(session: string, more: object = {}): Readonly<Record<string, unknown>> {
  count++;
  return {
    "@context": "https://aaep-protocol.org/context/v1",
    type: "aaep:agent.awaiting.confirmation",
    event_id: `evt_${process.pid}x${count}`,
    session_id: session,
    timestamp: new Date().toISOString(),
    producer: { agent_id: "query-doctor" },
    urgency: "critical",
    action: `Drop the table orders_${count}.`,
    consequence: "Its rows are lost.",
    reply_token: `rpl_${process.pid}x${count}`,
    timeout_seconds: 3000,
    default_decision: "reject",
    ...more,
  };
}

/** An AEP event that a hook sends before its agent acts. */
export function hookEventNow(command: string, more: object = {}): Readonly<Record<string, unknown>> {
  count++;
  return {
    aep_version: "0.1",
    id: `evt_${process.pid}x${count}`,
    type: "action.requested",
    time: new Date().toISOString(),
    agent: { slug: "claude" },
    session: { id: "session-1" },
    action: { type: "tool_call", id: `call_${count}`, input: { command } },
    tool: { name: "Bash", type: "native" },
    ...more,
  };
}
