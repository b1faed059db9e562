import type { RequestView } from "@earshot/hub";
import type { LiveEntry } from "../../hub/live.ts";

/** An entry of the ledger: a coding agent is about to push, unless something else is said. */
export function someEntry(changes: Partial<LiveEntry> = {}): LiveEntry {
  return {
    position: 7,
    receivedAt: "2026-11-15T12:00:00.000Z",
    protocol: "aep",
    source: "local",
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

/** An AAEP agent asks whether it may. */
export function someConfirmation(changes: Partial<LiveEntry> = {}): LiveEntry {
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

/** What the hub makes of it. */
export function someRequest(changes: Partial<RequestView> = {}): RequestView {
  return {
    id: "r1",
    kind: "permission",
    state: "open",
    waits: true,
    closedBecause: null,
    position: 7,
    protocol: "aep",
    source: "local",
    session: "s1",
    sessionKey: 1,
    openedAt: "2026-11-15T12:00:00.000Z",
    deadlineAt: "2026-11-15T12:10:00.000Z",
    leftMs: 600_000,
    extensionsLeft: 10,
    digest: "d",
    card: {
      version: 1,
      asked: {
        kind: "permission",
        protocol: "aep",
        source: "local",
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
        answers: ["allow", "deny"],
        silence: { answer: { word: "ask" }, by: "hub" },
        moreTimeMs: 600_000,
        latestAt: null,
        polls: true,
        besideDialog: false,
        action: "call_1",
        because: "the agent asks",
      },
    },
    inspection: { commands: [], files: [], dangers: [], hidden: [], irreversible: false, risk: "medium" },
    decision: null,
    takenAt: null,
    outcome: null,
    alarm: null,
    keepable: false,
    ...changes,
  };
}

export function decided(by: string, word: "allow" | "deny", state: "answered-by-person" | "answered-by-policy" | "defaulted"): RequestView {
  return someRequest({
    state,
    waits: false,
    decision: { state, by, at: "2026-11-15T12:01:00.000Z", answer: { word }, unanswered: state === "defaulted", reason: null, position: 9 },
  });
}
