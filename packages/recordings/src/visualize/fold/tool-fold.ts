import type { Activity } from "@earshot/protocol/activities";
import type { ToolOutcome, ToolSpan, ToolTally, TraceMoment } from "../trace.ts";
import { shortenLabel } from "./briefly.ts";
import type { AddedCounts } from "./buckets.ts";
import { OpenSpans } from "./open-spans.ts";

/** Distinct tool names that are counted separately. */
const NAMES = 200;
const OTHERS = "(others)";
const NOTHING: AddedCounts = {};

/** Tool calls, from all activities that mention them. */
export class ToolFold {
  readonly spans = new OpenSpans<ToolSpan>();
  readonly #names = new Map<string, { calls: number; failed: number }>();
  #failed = 0;

  handle(activity: Activity, at: TraceMoment): AddedCounts {
    switch (activity.kind) {
      case "tool.requested":
      case "tool.started":
        return this.#begin(activity.callId, activity.tool, at, activity.kind === "tool.started");
      case "tool.ended":
        return this.#end(activity.callId, activity.tool, activity.outcome, at);
      case "tool.decided":
        // A denial ends the call; an approval does not.
        if (activity.verdict === "denied" && activity.callId !== undefined && this.spans.has(keyOf(activity.callId)))
          return this.#end(activity.callId, activity.tool ?? "", "denied", at);
        return NOTHING;
      case "external.call":
        this.#tally(activity.target).calls++;
        this.spans.instant(at, (begun) => ({
          ...begun,
          tool: shortenLabel(activity.target),
          outcome: activity.error === undefined ? "succeeded" : "failed",
        }));
        return { toolsStarted: 1 };
      default:
        return NOTHING;
    }
  }

  /** The most used first. */
  names(): readonly ToolTally[] {
    return [...this.#names].map(([tool, tally]) => ({ tool, ...tally })).sort((a, b) => b.calls - a.calls);
  }

  get failed(): number {
    return this.#failed;
  }

  #begin(callId: string | undefined, tool: string, at: TraceMoment, hasStarted: boolean): AddedCounts {
    const key = callId === undefined ? undefined : keyOf(callId);
    // A request followed by a start is one call.
    if (key !== undefined && this.spans.has(key) && hasStarted) return NOTHING;
    this.#tally(tool).calls++;
    const id = callId === undefined ? {} : { callId: shortenLabel(callId) };
    this.spans.begin(key, at, (begun) => ({ ...begun, tool: shortenLabel(tool), ...id }));
    return { toolsStarted: 1 };
  }

  #end(callId: string | undefined, tool: string, outcome: ToolOutcome, at: TraceMoment): AddedCounts {
    const key =
      callId !== undefined && this.spans.has(keyOf(callId))
        ? keyOf(callId)
        : this.spans.search((span) => span.callId === undefined && span.tool === shortenLabel(tool));
    const isFailure = outcome === "failed" || outcome === "timeout";
    if (isFailure) {
      this.#failed++;
      this.#tally(tool).failed++;
    }
    if (key !== undefined) {
      this.spans.end(key, at, (span) => ({ ...span, outcome, tool: span.tool === "" ? shortenLabel(tool) : span.tool }));
      return isFailure ? { toolsFailed: 1 } : NOTHING;
    }
    // An end without a beginning is an instant at its own time.
    this.#tally(tool).calls++;
    this.spans.instant(at, (begun) => ({ ...begun, tool: shortenLabel(tool), outcome }));
    return { toolsStarted: 1, toolsFailed: isFailure ? 1 : 0 };
  }

  #tally(tool: string): { calls: number; failed: number } {
    const name = this.#names.size < NAMES || this.#names.has(shortenLabel(tool)) ? shortenLabel(tool) : OTHERS;
    const known = this.#names.get(name) ?? { calls: 0, failed: 0 };
    this.#names.set(name, known);
    return known;
  }
}

/** Ids may have any length: very long ones are distinguished by their beginning. */
function keyOf(callId: string): string {
  return `=${shortenLabel(callId, 256)}`;
}
