import type { Answer, Asked, Card, DecisionView, RequestView } from "@earshot/hub";

export const NOW = new Date(2026, 6, 1, 9, 0).getTime();

export type AskedPart = Partial<Asked>;

/** What a hub tells about an agent that wants to run a command, unless something else is said. */
export function sampleAsked(more: AskedPart = {}): Asked {
  return {
    kind: "permission",
    protocol: "aep",
    source: "producer",
    session: "session-1",
    agent: "claude",
    title: "Bash",
    input: { command: "npm test" },
    said: [],
    risk: "unknown",
    irreversible: false,
    facts: { moment: "permission", workspace: { cwd: "/home/ana/shop" } },
    ...more,
  };
}

export interface SampleParts {
  readonly asked?: AskedPart;
  readonly terms?: Partial<Card["terms"]>;
  readonly view?: Partial<RequestView>;
}

export function sampleRequest({ asked = {}, terms = {}, view = {} }: SampleParts = {}): RequestView {
  const card: Card = {
    version: 1,
    asked: sampleAsked(asked),
    terms: {
      answers: ["allow", "deny", "stop"],
      silence: { answer: { word: "ask" }, by: "hub" },
      moreTimeMs: 600_000,
      latestAt: null,
      polls: true,
      besideDialog: false,
      action: "call-1",
      because: "the agent asks",
      ...terms,
    },
  };
  return {
    id: "req_1",
    kind: card.asked.kind,
    state: "open",
    waits: true,
    closedBecause: null,
    position: 17,
    protocol: card.asked.protocol,
    source: card.asked.source,
    session: card.asked.session,
    sessionKey: 1,
    openedAt: new Date(NOW - 30_000).toISOString(),
    deadlineAt: new Date(NOW + 570_000).toISOString(),
    leftMs: 570_000,
    extensionsLeft: 10,
    digest: "digest-1",
    card,
    decision: null,
    takenAt: null,
    outcome: null,
    alarm: null,
    keepable: false,
    ...view,
  };
}

export function sampleDecision(answer: Answer, more: Partial<DecisionView> = {}): DecisionView {
  return {
    state: "answered-by-person",
    by: "Ana's phone",
    at: new Date(NOW - 60_000).toISOString(),
    answer,
    unanswered: false,
    reason: null,
    position: 18,
    ...more,
  };
}
