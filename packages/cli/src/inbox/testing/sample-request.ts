import type { Answer, Asked, Card, DecisionView, RequestView } from "@earshot/hub";

export const NOW = Date.UTC(2026, 6, 1, 9, 0);
export const UTC = { now: NOW, timeZone: "UTC" } as const;

export type AskedPart = Partial<Asked>;

/** A request as a hub tells it: an agent that wants to run a command, unless something else is said. */
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
    facts: { moment: "action", workspace: { cwd: "/home/ana/shop" } },
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
      answers: ["allow", "deny", "defer", "stop"],
      silence: { answer: { word: "ask" }, by: "hub" },
      moreTimeMs: 600_000,
      latestAt: null,
      polls: true,
      besideDialog: false,
      action: "call-1",
      because: "the rule guard/destructive",
      ...terms,
    },
  };
  return {
    id: "req_3fa2c1d4e5f60718293a4b5c",
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
