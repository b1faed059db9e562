import { ALERT_TYPES, type AlertType } from "../api.ts";
import { hash53, shorten } from "../bounded.ts";
import { applyToQuestions, type OpenQuestions, openQuestions } from "../open-questions.ts";
import { type CostState, costSpikeDetector } from "./cost-spike.ts";
import {
  type AlertThresholds,
  type Detector,
  describeCount,
  NO_SIGHTINGS,
  type Sighting,
  type WatchContext,
  type WatchedEntry,
} from "./detector.ts";
import { confidenceDropDetector, errorCascadeDetector, type FailureState, type LowConfidenceState } from "./in-a-row.ts";
import { type LoopState, loopDetector } from "./loop.ts";
import { requestWaitingDetector, type StallState, stallDetector } from "./silence.ts";

/** Raises an alert for the first violation of each protocol rule, from the flags stored with the entries. */
interface ViolationState {
  /** Hashes of rules that already raised an alert. */
  readonly raised: number[];
}

/** Above the number of rules in any protocol. */
const MAX_RULES = 128;
const MAX_MESSAGE = 500;

const conformanceViolation: Detector<ViolationState> = {
  open: () => ({ raised: [] }),

  apply({ raised }, { flags, position, receivedAt }, { thresholds }) {
    if (!thresholds.violations) return NO_SIGHTINGS;
    const fresh = flags.filter(
      ({ severity, rule }) => severity === "error" && rule !== undefined && raised.length < MAX_RULES && !raised.includes(hash53(rule)),
    );
    const [first] = fresh;
    if (first?.rule === undefined) return NO_SIGHTINGS;
    const rules = new Set(fresh.map(({ rule }) => rule ?? ""));
    for (const rule of rules) if (raised.length < MAX_RULES) raised.push(hash53(rule));
    const others = rules.size === 1 ? "" : ` and ${describeCount(rules.size - 1, "other rule")}`;
    const message = `It broke ${first.rule}${others} for the first time: ${shorten(first.message, MAX_MESSAGE)}`;
    return [{ severity: "warning", message, position, at: receivedAt, rule: first.rule }];
  },
};

/** The states of all detectors for one session: a plain JSON value of bounded size, changed in place. */
export interface SessionWatch {
  readonly questions: OpenQuestions;
  readonly states: DetectorStates;
}

interface DetectorStates {
  readonly loop: LoopState;
  readonly error_cascade: FailureState;
  readonly confidence_drop: LowConfidenceState;
  readonly stall: StallState;
  readonly cost_spike: CostState;
  readonly conformance_violation: ViolationState;
  readonly request_waiting: null;
}

/** An alert without the session's description. Type and position identify it within the session. */
export interface RaisedBySession extends Sighting {
  readonly type: AlertType;
}

type TimeOptions = Omit<WatchContext, "questions">;

const DETECTORS: { readonly [Type in AlertType]: Detector<DetectorStates[Type]> } = {
  loop: loopDetector,
  error_cascade: errorCascadeDetector,
  confidence_drop: confidenceDropDetector,
  stall: stallDetector,
  cost_spike: costSpikeDetector,
  conformance_violation: conformanceViolation,
  request_waiting: requestWaitingDetector,
};

export function openWatch(): SessionWatch {
  const states = Object.fromEntries(ALERT_TYPES.map((type) => [type, DETECTORS[type].open()]));
  // Each state was created by the detector of its type.
  return { questions: openQuestions(), states: states as unknown as DetectorStates };
}

/**
 * Applies the next entry of a session and returns its alerts. The same entries give the same alerts whenever `checkAlertTimes` ran in between:
 * conditions that time alone made true and no check noticed are returned here, marked `late`.
 */
export function applyEntry(watch: SessionWatch, entry: WatchedEntry, thresholds: AlertThresholds): readonly RaisedBySession[] {
  const { questions } = watch;
  const context = { thresholds, questions };
  const raised = collect(watch, (detector, state) => detector.apply(state, entry, context));
  for (const activity of entry.activities) applyToQuestions(questions, activity, entry.position, entry.receivedAt);
  return raised;
}

/** Alerts raised by the passing of time. Each is returned once, here or by `applyEntry`. */
export function checkAlertTimes({ questions, states }: SessionWatch, now: number, options: TimeOptions): readonly RaisedBySession[] {
  return collect({ questions, states }, (detector, state) => detector.check?.(state, now, { ...options, questions }) ?? []);
}

/** When `checkAlertTimes` may next find something; undefined when that needs another entry. */
export function nextCheckAt({ questions, states }: SessionWatch, options: TimeOptions): number | undefined {
  const context = { ...options, questions };
  let next: number | undefined;
  for (const type of ALERT_TYPES) {
    const { detector, state } = pair(type, states);
    const due = detector.dueAt?.(state, context);
    if (due !== undefined && (next === undefined || due < next)) next = due;
  }
  return next;
}

function collect(
  { states }: SessionWatch,
  look: (detector: Detector<unknown>, state: unknown) => readonly Sighting[],
): readonly RaisedBySession[] {
  const raised: RaisedBySession[] = [];
  for (const type of ALERT_TYPES) {
    const { detector, state } = pair(type, states);
    for (const sighting of look(detector, state)) raised.push({ type, ...sighting });
  }
  return raised;
}

/** A detector with its state. The type name joins the two, which the compiler cannot follow. */
function pair(type: AlertType, states: DetectorStates): { readonly detector: Detector<unknown>; readonly state: unknown } {
  return { detector: DETECTORS[type] as Detector<unknown>, state: states[type] };
}
