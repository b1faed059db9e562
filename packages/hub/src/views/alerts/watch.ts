import { ALERT_TYPES, type AlertType } from "../views.ts";
import { type ConfidenceState, confidenceDrop } from "./confidence-drop.ts";
import { conformanceViolation, type ViolationState } from "./conformance-violation.ts";
import { type CostState, costSpike } from "./cost-spike.ts";
import type { AlertThresholds, Detector, HeardEntry, Sighting, TimeOptions } from "./detector.ts";
import { errorCascade, type FailureState } from "./error-cascade.ts";
import { type LoopState, loop } from "./loop.ts";
import { type RequestState, requestWaiting } from "./request-waiting.ts";
import { type StallState, stall } from "./stall.ts";

/** What is watched in one session: a plain JSON value of bounded size, changed in place. */
export interface Watch {
  readonly loop: LoopState;
  readonly error_cascade: FailureState;
  readonly confidence_drop: ConfidenceState;
  readonly stall: StallState;
  readonly cost_spike: CostState;
  readonly conformance_violation: ViolationState;
  readonly request_waiting: RequestState;
}

/** An alert without what its session knows of itself. Type and position name it: no session raises two that have both in common. */
export interface Raised extends Sighting {
  readonly type: AlertType;
}

const DETECTORS: { readonly [Type in AlertType]: Detector<Watch[Type]> } = {
  loop,
  error_cascade: errorCascade,
  confidence_drop: confidenceDrop,
  stall,
  cost_spike: costSpike,
  conformance_violation: conformanceViolation,
  request_waiting: requestWaiting,
};

export function openWatch(): Watch {
  return {
    loop: loop.open(),
    error_cascade: errorCascade.open(),
    confidence_drop: confidenceDrop.open(),
    stall: stall.open(),
    cost_spike: costSpike.open(),
    conformance_violation: conformanceViolation.open(),
    request_waiting: requestWaiting.open(),
  };
}

/**
 * Hears the next entry of a session, and says what it makes noteworthy. The same entries give the same alerts, whatever
 * `checkTime` was asked in between: what time alone made true, and nobody noticed yet, is said here, marked `late`.
 */
export function hearEntry(watch: Watch, entry: HeardEntry, thresholds: AlertThresholds): readonly Raised[] {
  const raised: Raised[] = [];
  for (const type of ALERT_TYPES) collect(raised, type, hearOne(type, watch, entry, thresholds));
  return raised;
}

/** What the passing of time alone makes noteworthy. Each is said once, here or by `hearEntry`. */
export function checkTime(watch: Watch, now: number, options: TimeOptions): readonly Raised[] {
  const raised: Raised[] = [];
  for (const type of ALERT_TYPES) collect(raised, type, checkOne(type, watch, now, options));
  return raised;
}

/** When `checkTime` may have something to say; undefined when only another entry can bring something. */
export function nextCheckAt(watch: Watch, options: TimeOptions): number | undefined {
  let next: number | undefined;
  for (const type of ALERT_TYPES) {
    const due = dueOne(type, watch, options);
    if (due !== undefined && (next === undefined || due < next)) next = due;
  }
  return next;
}

function hearOne<Type extends AlertType>(type: Type, watch: Watch, entry: HeardEntry, thresholds: AlertThresholds): readonly Sighting[] {
  return DETECTORS[type].hear(watch[type], entry, thresholds);
}

function checkOne<Type extends AlertType>(type: Type, watch: Watch, now: number, options: TimeOptions): readonly Sighting[] {
  return DETECTORS[type].check?.(watch[type], now, options) ?? [];
}

function dueOne<Type extends AlertType>(type: Type, watch: Watch, options: TimeOptions): number | undefined {
  return DETECTORS[type].dueAt?.(watch[type], options);
}

function collect(raised: Raised[], type: AlertType, sightings: readonly Sighting[]): void {
  for (const sighting of sightings) raised.push({ type, ...sighting });
}
