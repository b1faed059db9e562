import type { LiveLedgerEntry, LiveRequest } from "../wire.ts";

/** A ledger entry: by default, a coding agent is about to push. */
export function someEntry(changes: Partial<LiveLedgerEntry> = {}): LiveLedgerEntry {
  return {
    position: 7,
    receivedAt: "2026-11-15T12:00:00.000Z",
    protocol: "aep",
    verified: true,
    session: "s1",
    kind: "event",
    agent: "claude",
    type: "action.requested",
    event: {
      aep_version: "0.1",
      id: "evt_1",
      type: "action.requested",
      agent: { slug: "claude" },
      session: { id: "s1" },
      workspace: { cwd: "/home/ana/shop" },
      action: { type: "tool_call", id: "call_1", input: { command: "git push" } },
      tool: { name: "Bash", type: "native" },
    },
    ...changes,
  };
}

/** An AAEP agent asks for confirmation. */
export function someConfirmation(changes: Partial<LiveLedgerEntry> = {}): LiveLedgerEntry {
  return someEntry({
    protocol: "aaep",
    type: "agent.awaiting.confirmation",
    agent: "query-doctor",
    event: {
      type: "aaep:agent.awaiting.confirmation",
      event_id: "evt_2",
      session_id: "s1",
      producer: { agent_id: "query-doctor" },
      action: "Drop the table orders.",
      reply_token: "rpl_1",
      timeout_seconds: 600,
    },
    ...changes,
  });
}

/** The hub's request for it. */
export function someRequest(changes: Partial<LiveRequest> = {}): LiveRequest {
  return {
    id: "r1",
    kind: "permission",
    waits: true,
    position: 7,
    session: "s1",
    deadlineAt: "2026-11-15T12:10:00.000Z",
    leftMs: 600_000,
    card: {
      asked: {
        kind: "permission",
        protocol: "aep",
        session: "s1",
        agent: "claude",
        title: "Bash",
        input: { command: "git push" },
        said: [],
        risk: "medium",
        irreversible: false,
        facts: { workspace: { cwd: "/home/ana/shop" } },
      },
      terms: {
        action: "call_1",
        answers: ["allow", "deny"],
        silence: { answer: { word: "ask" }, by: "hub" },
        besideDialog: false,
      },
    },
    decision: null,
    ...changes,
  };
}

export function decidedRequest(
  by: string,
  word: "allow" | "deny",
  state: "answered-by-person" | "answered-by-policy" | "defaulted",
): LiveRequest {
  return someRequest({ waits: false, decision: { state, by, answer: { word } } });
}
