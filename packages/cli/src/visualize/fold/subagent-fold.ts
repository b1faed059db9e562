import type { Activity } from "@earshot/protocol/activities";
import type { Moment, SubagentSpan } from "../trace.ts";
import { briefly } from "./briefly.ts";
import { type Begun, OpenSpans } from "./open-spans.ts";

/** Whom the agent set to work, as far as it says so itself. */
export class SubagentFold {
  readonly spans = new OpenSpans<SubagentSpan>();

  hear(activity: Activity, session: string, at: Moment): void {
    // A child that speaks of itself is no child of itself.
    if ((activity.kind !== "subagent.started" && activity.kind !== "subagent.ended") || activity.child === session) return;
    const { child, childAgent, callId } = activity;
    const key = child ?? callId;
    const own = key === undefined ? undefined : `=${briefly(key, 256)}`;
    const make = (begun: Begun): SubagentSpan => ({
      ...begun,
      name: briefly(childAgent ?? child ?? ""),
      ...(child === undefined ? {} : { child: briefly(child) }),
    });
    if (activity.kind === "subagent.started") {
      this.spans.begin(own, at, make);
      return;
    }
    const { outcome } = activity;
    const open = own !== undefined && this.spans.has(own) ? own : this.spans.search(({ name }) => name === briefly(childAgent ?? ""));
    if (open === undefined) this.spans.instant(at, make);
    else this.spans.end(open, at, (span) => ({ ...span, ...(outcome === undefined ? {} : { outcome: briefly(outcome, 40) }) }));
  }
}
