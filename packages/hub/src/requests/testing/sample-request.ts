import type { RequestAnswer } from "../answer.ts";
import type { DecisionView, RequestView } from "../api.ts";
import type { AskedCard, RequestCardData } from "../card.ts";
import { inspectAsked } from "../inspection.ts";

export type AskedPart = Partial<AskedCard>;

export interface SampleParts {
  readonly asked?: AskedPart;
  readonly terms?: Partial<RequestCardData["terms"]>;
  readonly view?: Partial<RequestView>;
}

export interface Samples {
  readonly sampleAsked: (more?: AskedPart) => AskedCard;
  readonly sampleRequest: (parts?: SampleParts) => RequestView;
  readonly sampleDecision: (answer: RequestAnswer, more?: Partial<DecisionView>) => DecisionView;
}

/** Requests as of some time: an agent wants to run a command, unless given otherwise. */
export function samplesAt(now: number, usual: SampleParts = {}): Samples {
  const toIso = (afterMs: number) => new Date(now + afterMs).toISOString();
  const sampleAsked = (more: AskedPart = {}): AskedCard => ({
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
    ...usual.asked,
    ...more,
  });
  const sampleRequest = ({ asked = {}, terms = {}, view = {} }: SampleParts = {}): RequestView => {
    const card: RequestCardData = {
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
        ...usual.terms,
        ...terms,
      },
    };
    const { kind, protocol, source, session } = card.asked;
    return {
      id: "req_1",
      kind,
      state: "open",
      waits: true,
      closedBecause: null,
      position: 17,
      protocol,
      source,
      session,
      sessionKey: 1,
      openedAt: toIso(-30_000),
      deadlineAt: toIso(570_000),
      leftMs: 570_000,
      extensionsLeft: 10,
      digest: "digest-1",
      card,
      inspection: inspectAsked(card.asked),
      decision: null,
      takenAt: null,
      outcome: null,
      alarm: null,
      keepable: false,
      ...usual.view,
      ...view,
    };
  };
  const sampleDecision = (answer: RequestAnswer, more: Partial<DecisionView> = {}): DecisionView => ({
    state: "answered-by-person",
    by: "Ana's phone",
    at: toIso(-60_000),
    answer,
    held: true,
    unanswered: false,
    reason: null,
    position: 18,
    ...more,
  });
  return { sampleAsked, sampleRequest, sampleDecision };
}
