import type { Request } from "../request.ts";
import type { DecisionView, Inspection, RememberedView, RequestView } from "./api.ts";
import type { Card } from "./card.ts";
import type { HeldRequest } from "./held-request.ts";
import { isOpen } from "./machine.ts";
import { isKeepable, MOST_EXTENSIONS } from "./machine-steps.ts";
import type { Machine } from "./machine-types.ts";

/** What of a view stands neither in the ledger nor in the machine. */
export interface ViewedWith {
  readonly now: number;
  readonly inspection: Inspection;
  readonly remembered: RememberedView | undefined;
}

/** A request as it is told to whoever may read. */
export function toRequestView(held: HeldRequest, row: Request, { now, inspection, remembered }: ViewedWith): RequestView {
  const { machine, card } = held;
  const open = isOpen(machine);
  const waits = machine.phase === "waiting" || machine.phase === "settling";
  return {
    id: held.id,
    kind: row.kind,
    state: machine.settlement?.state ?? "open",
    waits,
    closedBecause: waits ? null : open ? "Nobody waits for the answer." : "It has ended.",
    position: row.position,
    protocol: row.protocol,
    source: row.source,
    session: row.session,
    sessionKey: row.sessionKey,
    openedAt: toIso(row.openedAt),
    deadlineAt: machine.deadlineAt === null ? null : toIso(machine.deadlineAt),
    leftMs: open ? leftMs(machine, now) : null,
    extensionsLeft: open ? extensionsLeft(card, machine, now) : 0,
    digest: held.digest,
    card,
    inspection,
    decision: decisionOf(held),
    takenAt: held.takenAt === undefined ? null : toIso(held.takenAt),
    outcome: held.outcome ?? null,
    alarm: held.alarm ?? null,
    keepable: isKeepable(machine),
    ...(remembered === undefined ? {} : { remembered }),
  };
}

export function leftMs({ deadline }: Machine, now: number): number | null {
  return deadline === null ? null : Math.max(0, Math.round(deadline - now));
}

function extensionsLeft({ terms }: Card, machine: Machine, now: number): number {
  const { deadline, extensions, begun } = machine;
  if (deadline === null || terms.moreTimeMs === 0) return 0;
  const { latestMs } = machine.terms;
  const room = latestMs === null ? Number.POSITIVE_INFINITY : latestMs - (Math.max(deadline, now) - begun);
  return room <= 0 ? 0 : Math.min(MOST_EXTENSIONS - extensions, Math.ceil(room / terms.moreTimeMs));
}

function decisionOf({ machine, decidedAt, decidedPosition }: HeldRequest): DecisionView | null {
  const { settlement } = machine;
  if (settlement === null) return null;
  const { state, by, answer, reason } = settlement;
  return {
    state,
    by,
    at: toIso(decidedAt ?? 0),
    answer,
    held: machine.terms.timeMs !== 0,
    unanswered: state === "defaulted" || state === "orphaned",
    reason: reason ?? null,
    position: decidedPosition ?? 0,
  };
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
