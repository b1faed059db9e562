import type { Alert, CallView, SessionView, StoryItem } from "@earshot/hub";
import type { OfKind } from "@earshot/narrate";
import type { ActivityBase, ActivityDetails, ActivityKind } from "@earshot/protocol/activities";
import { type Layout, layOutItem, type OutputItem } from "../saying.ts";
import { createStyle } from "../style.ts";

/** Plain text, as on a pipe. */
export const PIPE: Layout = { width: 0, style: createStyle(false), full: false };

/** In local time, independent of the test machine's time zone. */
export const SAMPLES_NOW_MS = new Date(2026, 10, 15, 14, 2, 11).getTime();

export function linesOfItem(saying: OutputItem, layout: Layout = PIPE): readonly string[] {
  return layOutItem(saying, undefined, layout);
}

export function sampleActivityOf<Kind extends ActivityKind>(
  kind: Kind,
  details: ActivityDetails[Kind],
  base: Partial<ActivityBase> = {},
): OfKind<Kind> {
  const said = { protocol: "aop", type: `test.${kind}`, session: "s1", agent: "helper", kind, ...base, ...details } as const;
  return said as unknown as OfKind<Kind>;
}

export function sampleItem(said: StoryItem["activity"], others: Partial<StoryItem> = {}): StoryItem {
  return { position: 7, receivedAt: SAMPLES_NOW_MS, activity: said, flags: [], alerts: [], redactions: 0, ...others };
}

export function sampleCall(others: Partial<CallView> = {}): CallView {
  return { session: 1, position: 7, tool: "bash", state: "succeeded", startedAt: SAMPLES_NOW_MS, measured: false, marks: [], ...others };
}

export function sampleAlert(others: Partial<Alert> = {}): Alert {
  return {
    number: 3,
    type: "loop",
    severity: "warning",
    message: "bash was called 5 times with the same input and gave nothing new.",
    session: 1,
    sessionId: "sess_1",
    protocol: "aop",
    source: "local",
    agent: "helper",
    position: 7,
    at: SAMPLES_NOW_MS - 60_000,
    ...others,
  };
}

export function sampleSession(others: Partial<SessionView> = {}): SessionView {
  const { counts, ...rest } = others;
  return {
    key: 12,
    protocol: "aop",
    source: "local",
    verified: false,
    id: "sess_7c1e90b2a4",
    status: "running",
    agent: "release-helper",
    agents: ["release-helper"],
    children: 0,
    startedAt: SAMPLES_NOW_MS - 264_000,
    lastHeardAt: SAMPLES_NOW_MS - 12_000,
    firstEventAt: SAMPLES_NOW_MS - 264_000,
    lastEventAt: SAMPLES_NOW_MS - 12_000,
    durationMs: 252_000,
    firstPosition: 3,
    lastPosition: 90,
    marks: [],
    ...rest,
    counts: { events: 14, calls: 0, failedCalls: 0, errors: 0, prompts: 0, openRequests: 0, alerts: 0, flags: 0, ...counts },
  };
}
