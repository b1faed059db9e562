import type { Activity, ActivityBase, ActivityDetails, ActivityKind } from "@earshot/protocol/activities";
import type { Flag } from "../../../verdict.ts";
import type { WatchedEntry } from "../detector.ts";
import { ALERT_THRESHOLDS, type AlertThresholds } from "../detector.ts";
import { applyEntry, openWatch, type RaisedBySession, type SessionWatch } from "../watch.ts";

export const TALK_START_MS = Date.UTC(2026, 2, 1, 10);

const BASE: ActivityBase = { protocol: "aop", type: "some.type", session: "s", agent: "agent" };

export function activityOf<Kind extends ActivityKind>(
  kind: Kind,
  details: ActivityDetails[Kind],
  base: Partial<ActivityBase> = {},
): Activity {
  // Builds a member of the union by kind; the compiler cannot follow a computed kind.
  return { ...BASE, ...base, kind, ...details } as Activity;
}

/** Builds the entries of a session, one second apart unless another time is given. */
export class SessionTalk {
  readonly thresholds: AlertThresholds;
  watch: SessionWatch = openWatch();
  at = TALK_START_MS;
  position = 0;
  readonly raised: RaisedBySession[] = [];

  constructor(thresholds: Partial<AlertThresholds> = {}) {
    this.thresholds = { ...ALERT_THRESHOLDS, ...thresholds };
  }

  say(...activities: readonly Activity[]): readonly RaisedBySession[] {
    return this.handle({ activities, flags: [] });
  }

  flag(...flags: readonly Flag[]): readonly RaisedBySession[] {
    return this.handle({ activities: [activityOf("custom", {})], flags });
  }

  pass(ms: number): this {
    this.at += ms - 1000;
    return this;
  }

  call(id: string | undefined, tool: string, input: string, result?: string): readonly RaisedBySession[] {
    const callId = id === undefined ? {} : { callId: id };
    const before = this.say(activityOf("tool.started", { ...callId, tool, input: { command: input } }));
    return [...before, ...(result === undefined ? [] : this.end(id, tool, result))];
  }

  end(id: string | undefined, tool: string, result: string): readonly RaisedBySession[] {
    return this.say(activityOf("tool.ended", { ...(id === undefined ? {} : { callId: id }), tool, outcome: "succeeded", result }));
  }

  handle(entry: Pick<WatchedEntry, "activities" | "flags">): readonly RaisedBySession[] {
    this.at += 1000;
    this.position++;
    const raised = applyEntry(this.watch, { ...entry, position: this.position, receivedAt: this.at }, this.thresholds);
    this.raised.push(...raised);
    return raised;
  }

  get types(): readonly string[] {
    return this.raised.map(({ type }) => type);
  }
}
