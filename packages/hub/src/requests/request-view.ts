import type { JsonValue } from "@earshot/protocol";
import type { StoredRequest } from "../request.ts";
import { isConsent, type RequestAnswer } from "./answer.ts";
import { applyEdit, toContent, withAnswers } from "./answer-fits.ts";
import type { DecisionView, Inspection, RememberedView, RequestView } from "./api.ts";
import type { RequestCardData } from "./card.ts";
import type { HeldRequest } from "./held-request.ts";
import { isMachineOpen } from "./machine.ts";
import { isKeepable, MAX_EXTENSIONS } from "./machine-steps.ts";
import type { RequestEnding, RequestMachine } from "./machine-types.ts";
import { questionDigest } from "./question.ts";

/** Parts of a view that are neither in the ledger nor in the machine. */
export interface ViewContext {
  readonly now: number;
  readonly inspection: Inspection;
  readonly remembered: RememberedView | undefined;
}

/** A request for readers. */
export function toRequestView(held: HeldRequest, row: StoredRequest, { now, inspection, remembered }: ViewContext): RequestView {
  const { machine, card } = held;
  const open = isMachineOpen(machine);
  const waits = machine.phase === "waiting" || machine.phase === "settling";
  return {
    id: held.id,
    kind: row.kind,
    state: machine.settlement?.state ?? "open",
    waits,
    closedBecause: waits ? null : open ? "The agent no longer waits for an answer." : "It has ended.",
    position: row.position,
    protocol: row.protocol,
    source: row.source,
    session: row.session,
    sessionKey: row.sessionKey,
    openedAt: formatInstant(row.openedAt),
    deadlineAt: machine.deadlineAt === null ? null : formatInstant(machine.deadlineAt),
    leftMs: open ? msUntilDeadline(machine, now) : null,
    extensionsLeft: open ? extensionsLeft(card, machine, now) : 0,
    digest: held.digest,
    card,
    inspection,
    decision: decisionOf(held),
    takenAt: held.takenAt === undefined ? null : formatInstant(held.takenAt),
    outcome: held.outcome ?? null,
    alarm: held.alarm ?? null,
    keepable: isKeepable(machine),
    ...(remembered === undefined ? {} : { remembered }),
  };
}

export function msUntilDeadline({ deadline }: RequestMachine, now: number): number | null {
  return deadline === null ? null : Math.max(0, Math.round(deadline - now));
}

function extensionsLeft({ terms }: RequestCardData, machine: RequestMachine, now: number): number {
  const { deadline, extensions, begun } = machine;
  if (deadline === null || terms.moreTimeMs === 0) return 0;
  const { latestMs } = machine.terms;
  const room = latestMs === null ? Number.POSITIVE_INFINITY : latestMs - (Math.max(deadline, now) - begun);
  return room <= 0 ? 0 : Math.min(MAX_EXTENSIONS - extensions, Math.ceil(room / terms.moreTimeMs));
}

function decisionOf({ machine, decidedAt, decidedPosition }: HeldRequest): DecisionView | null {
  const { settlement } = machine;
  if (settlement === null) return null;
  const { state, by, answer, reason } = settlement;
  return {
    state,
    by,
    at: formatInstant(decidedAt ?? 0),
    answer,
    held: machine.terms.timeMs !== 0,
    unanswered: state === "defaulted" || state === "orphaned",
    reason: reason ?? null,
    position: decidedPosition ?? 0,
  };
}

export function formatInstant(ms: number): string {
  return new Date(ms).toISOString();
}

export interface ReleasedAnswer {
  readonly ending: RequestEnding;
  readonly answer: RequestAnswer;
  /** The complete input that replaces the sent one. */
  readonly updatedInput?: JsonValue;
}

/**
 * The asker's answer; undefined while it has to wait. Only what was shown is permitted: the present input must have the decision's
 * digest. Anything else is refused.
 */
export function releaseOf({ machine, card, raw, updatedInput }: HeldRequest, secret: string): ReleasedAnswer | undefined {
  const { settlement: ending, terms } = machine;
  if (ending === null) return undefined;
  const { answer } = ending;
  if (!needsInput(answer)) return { ending, answer };
  const input = raw?.input;
  const shown = questionDigest({ asked: card.asked, ...(input === undefined ? {} : { raw: input }) }, secret);
  if (shown !== ending.digest) return { ending, answer: { word: terms.refusal, message: "This is not what was shown." } };
  if (answer.word === "respond") {
    const { fields } = card.asked;
    if (fields === undefined) return { ending, answer };
    const content = toContent(answer.response, fields);
    const answered = withAnswers(input, content);
    return { ending, answer: { ...answer, response: content }, ...(answered === undefined ? {} : { updatedInput: answered }) };
  }
  if (answer.edit !== undefined) return { ending, answer, updatedInput: applyEdit(input ?? null, answer.edit, card.asked.masked ?? []) };
  if (answer.rewrites !== true) return { ending, answer };
  if (updatedInput !== undefined) return { ending, answer, updatedInput };
  return { ending, answer: { word: terms.refusal, message: "The rule that changed the input is not there any more." } };
}

/** Whether the asker must send its event again before it can be allowed, because its input is no longer in memory. */
export function needsAsking({ raw, card, machine }: HeldRequest): boolean {
  return raw === undefined && card.terms.polls && (machine.settlement === null || needsInput(machine.settlement.answer));
}

/** Answers that permit something, or that are filled into the asker's input. */
function needsInput(answer: RequestAnswer): boolean {
  return isConsent(answer) || answer.word === "respond";
}
