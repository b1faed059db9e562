import type { Activity, ActivityKind } from "@earshot/protocol/activities";
import { type SpanLanes, type StateName, type StateSpan, TRACE_STATES, type TraceMoment } from "../trace.ts";
import { shortenLabel } from "./briefly.ts";

const KEPT = 600;

/** The state implied by each activity, for agents that report no states. */
const READ: Readonly<Partial<Record<ActivityKind, StateName>>> = {
  "session.opened": "idle",
  "turn.started": "thinking",
  "turn.ended": "idle",
  prompt: "thinking",
  thought: "thinking",
  goal: "thinking",
  decision: "deciding",
  uncertainty: "thinking",
  plan: "thinking",
  response: "writing_output",
  "output.chunk": "writing_output",
  "tool.requested": "calling_tool",
  "tool.started": "calling_tool",
  "request.asked": "awaiting_input",
  handoff: "handing_off",
};

/** Open tool calls and requests, which affect the derived state. */
export interface OpenActivities {
  readonly openTools: number;
  readonly openRequests: number;
}

/** The sequence of states: reported by the agent, or derived from its activities until it reports one. */
export class StateFold {
  #spans: StateSpan[] | undefined = [];
  #current: StateSpan | undefined;
  #count = 0;
  #isTold = false;

  get now(): StateName {
    return this.#current?.state ?? "idle";
  }

  get isTold(): boolean {
    return this.#isTold;
  }

  /** Applies an activity; called after the other folds. */
  handle(activity: Activity, at: TraceMoment, around: OpenActivities): void {
    if (activity.kind === "session.closed") this.#finish(at);
    else if (activity.kind === "state") {
      this.#isTold = true;
      this.#enter(activity.to, at);
    } else if (!this.#isTold) {
      const state = readState(activity, around);
      if (state !== undefined && state !== this.#current?.word) this.#enter(state, at);
    }
  }

  lane(last: TraceMoment): SpanLanes<StateSpan> {
    this.#keep(last, true);
    return { spans: this.#spans, count: this.#count, atOnce: Math.min(this.#count, 1) };
  }

  #enter(word: string, at: TraceMoment): void {
    this.#keep(at, false);
    this.#count++;
    const known = TRACE_STATES.find((state) => state === word) ?? "other";
    this.#current = { from: at, to: at, open: true, state: known, word: shortenLabel(word) };
  }

  #finish(at: TraceMoment): void {
    this.#keep(at, false);
  }

  #keep(to: TraceMoment, open: boolean): void {
    const span = this.#current;
    this.#current = undefined;
    if (span === undefined || this.#spans === undefined) return;
    if (this.#spans.length < KEPT) this.#spans.push({ ...span, to, open });
    else this.#spans = undefined;
  }
}

function readState(activity: Activity, { openTools, openRequests }: OpenActivities): StateName | undefined {
  if (openRequests > 0) return "awaiting_input";
  // After a call ends, the agent is thinking, unless other calls are still running.
  if (activity.kind === "tool.ended") return openTools > 0 ? "calling_tool" : "thinking";
  if (activity.kind === "request.answered") return openTools > 0 ? "calling_tool" : "thinking";
  return READ[activity.kind];
}
