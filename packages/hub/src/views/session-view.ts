import type { SessionInfo } from "../ledger/ledger.ts";
import type { AlertThresholds } from "./alerts/detector.ts";
import type { SessionWatch } from "./alerts/watch.ts";
import type { Parentage, SessionGrade, SessionStatus, SessionView } from "./api.ts";
import type { KnownParent } from "./family.ts";
import { isAfter } from "./ledger-reading.ts";
import type { OpenQuestions } from "./open-questions.ts";
import { type SessionFold, sessionEndOf } from "./session-fold.ts";
import { toDollars, toTokenCount } from "./spend.ts";

/** The time of reading. It determines which sessions are stalled and is never stored. */
export interface ViewReading {
  readonly now: number;
  /** When the machine last woke up: no event could arrive before. */
  readonly sleptUntil?: number | undefined;
}

/** The time limits of silence; 0 is never. */
export type SilenceLimits = Pick<AlertThresholds, "stallSeconds" | "silenceSeconds">;

/** A running session with no activity after this time is stalled. */
export function silentSince({ now, sleptUntil }: ViewReading, { stallSeconds, silenceSeconds }: SilenceLimits, beats: boolean): number {
  const limitMs = (beats ? stallSeconds : silenceSeconds) * 1000;
  const wasDeaf = sleptUntil !== undefined && now - sleptUntil < limitMs;
  return limitMs === 0 || wasDeaf ? Number.NEGATIVE_INFINITY : now - limitMs;
}

export interface Relatives {
  readonly parent: KnownParent | undefined;
  readonly children: number;
}

export function toSessionView(
  { key, protocol, source, id }: SessionInfo,
  { fold, watch: { questions } }: { readonly fold: SessionFold; readonly watch: Pick<SessionWatch, "questions"> },
  isSilent: boolean,
  { parent, children }: Relatives,
): SessionView {
  const end = sessionEndOf(fold);
  const status = settledStatus(fold, questions);
  const { spend } = fold;
  const tokens = toTokenCount({
    input: spend.input?.sum ?? null,
    output: spend.output?.sum ?? null,
    total: spend.total?.sum ?? null,
  });
  const costUsd = toDollars(spend.cost?.sum ?? null);
  return {
    key,
    protocol,
    source,
    verified: fold.verified,
    id,
    status: status === "running" && isSilent ? "stalled" : status,
    agent: fold.agents[0] ?? "",
    agents: fold.agents,
    ...(fold.model === null ? {} : { model: fold.model }),
    ...goalOf(fold),
    ...(fold.workspace === null ? {} : { workspace: fold.workspace }),
    startedAt: fold.firstHeardAt,
    lastHeardAt: fold.lastHeardAt,
    ...(end === null ? {} : { endedAt: end.receivedAt }),
    firstEventAt: fold.firstMs ?? fold.firstHeardAt,
    lastEventAt: fold.lastMs ?? fold.lastHeardAt,
    durationMs: durationOf(fold),
    firstPosition: fold.firstPosition,
    lastPosition: fold.lastPosition,
    counts: {
      events: fold.events,
      calls: fold.calls,
      failedCalls: fold.failedCalls,
      errors: fold.errors,
      prompts: fold.prompts,
      openRequests: end === null ? questions.open.length : 0,
      alerts: fold.alerts,
      flags: fold.flags,
    },
    ...(tokens === undefined ? {} : { tokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(fold.lastSummary === null ? {} : { lastSummary: fold.lastSummary.text }),
    marks: marksOf(fold),
    ...toParent(fold.parent, parent),
    children,
  };
}

/** As the session itself names it, or else as its parent does. */
function toParent(own: SessionFold["parent"], known: KnownParent | undefined): { readonly parent?: Parentage } {
  const key = known === undefined ? {} : { key: known.key };
  if (own !== null) {
    const { id, relation, inferred, because } = own;
    return { parent: { id, relation, inferred, because, ...key } };
  }
  if (known === undefined) return {};
  const because = `the ${known.because ?? "event"} of that session names it`;
  return { parent: { id: known.id, ...key, relation: "subagent", inferred: true, because } };
}

export function toGrade({ events, rules }: SessionFold): SessionGrade {
  const listed = Object.entries(rules).map(([rule, [severity, count, firstPosition, lastPosition]]) => ({
    rule,
    severity,
    count,
    firstPosition,
    lastPosition,
  }));
  const worst = (["error", "warning", "info"] as const).find((severity) => listed.some((one) => one.severity === severity));
  const grade = worst === undefined ? "A" : ({ info: "B", warning: "C", error: "D" } as const)[worst];
  listed.sort((left, right) => RANK[right.severity] - RANK[left.severity] || right.count - left.count || (left.rule < right.rule ? -1 : 1));
  return { grade, events, rules: listed };
}

const RANK = { info: 0, warning: 1, error: 2 } as const;

/** The status without stalling, which depends on the time of reading. */
export function settledStatus(fold: SessionFold, questions: OpenQuestions): SessionStatus {
  const end = sessionEndOf(fold);
  if (end !== null) return end.outcome;
  if (questions.open.length > 0) return "waiting";
  const { pause, worked } = fold;
  return pause === null || (worked !== null && isAfter(worked, pause)) ? "running" : pause.word;
}

/** Ten years. A longer span comes from a clock that was never set. */
const MAX_DURATION_MS = 3.2e11;

function durationOf({ firstMs, lastMs, firstHeardAt, lastHeardAt }: SessionFold): number {
  const said = firstMs === null || lastMs === null ? 0 : lastMs - firstMs;
  return said > 0 && said < MAX_DURATION_MS ? Math.round(said) : Math.max(0, lastHeardAt - firstHeardAt);
}

function marksOf(fold: SessionFold): readonly string[] {
  const { opened, closed, said, firstSequence, lastSequence, numbered } = fold;
  const end = sessionEndOf(fold);
  const hasGap = firstSequence !== null && lastSequence !== null && lastSequence - firstSequence + 1 > numbered;
  return [
    ...(opened === null ? ["never-started"] : fold.eventsBeforeOpened > 0 ? ["started-late"] : []),
    ...(closed !== null && end !== null && said !== null && isAfter(said, end) ? ["spoke-after-end"] : []),
    ...(hasGap ? ["gap"] : []),
  ];
}

/** The named goal, or else the first prompt. */
function goalOf({ goal, prompt }: SessionFold): { readonly goal?: string } {
  const said = goal ?? prompt;
  return said === null ? {} : { goal: said.text };
}
