import type { Activity } from "@earshot/protocol/activities";
import Type, { type Static, type TSchema } from "typebox";
import { listOf, naturalNumber, positiveInteger } from "../api-schema.ts";
import type { Flag } from "../verdict.ts";

/** HTTP response types of the views. Times are Unix milliseconds by the hub's clock. Every list is paged; every text is bounded. */
const maybe = Type.Optional;
const text = (description: string) => Type.String({ description });
const maybeText = (description: string) => maybe(text(description));
const time = (description: string) => Type.Number({ description: `${description}, in milliseconds since 1970` });
const sessionKey = positiveInteger({ description: "the `key` of a session" });
const protocol = Type.Enum(["aaep", "aep", "aop"]);
const costUsd = maybe(Type.Number({ description: "US dollars" }));
const severities = ["error", "warning", "info"] as const;

/** The schema of a page. `next` is an opaque cursor for the `after` parameter; it is missing on the last page. */
export const listedSchema = <Item extends TSchema>(items: Item) =>
  Type.Object({
    items: listOf(items),
    next: maybeText("the `after` of the next page; left out after the last one"),
    cut: maybe(Type.Boolean({ description: "the search took too long and looked at a part; `next` continues it" })),
  });
export type Listed<Item> = Omit<Static<ReturnType<typeof listedSchema>>, "items"> & { readonly items: readonly Item[] };

const tokens = maybe(Type.Object({ input: maybe(naturalNumber()), output: maybe(naturalNumber()), total: maybe(naturalNumber()) }));
export type TokenCount = NonNullable<SessionView["tokens"]>;

/**
 * `running`: recently active. `waiting`: a question is open. `stalled`: silent for too long. `idle`: between two turns. The others are
 * outcomes; `ended` when the outcome is unknown.
 */
export const SESSION_STATUSES = ["running", "waiting", "idle", "stalled", "completed", "failed", "cancelled", "timeout", "ended"] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

const parentageSchema = Type.Object({
  id: Type.String(),
  key: maybe(sessionKey),
  relation: Type.Enum(["subagent", "fork", "resume", "continuation"]),
  inferred: Type.Boolean({ description: "false where the child itself names its parent" }),
  because: text("how it is known: `operation.agent_spawn named it`"),
});
export type Parentage = Static<typeof parentageSchema>;

const session = {
  key: sessionKey,
  protocol,
  source: Type.String(),
  verified: Type.Boolean(),
  id: Type.String(),
  status: Type.Enum(SESSION_STATUSES),
  agent: text("the agent whose event was stored first"),
  agents: listOf(Type.String(), { description: "its agents, the first few" }),
  model: maybe(Type.String()),
  goal: maybeText("its goal; where it names none, its first prompt"),
  workspace: maybe(Type.String()),
  parent: maybe(parentageSchema),
  children: naturalNumber(),
  startedAt: time("first stored"),
  lastHeardAt: time("last stored"),
  endedAt: maybe(time("end stored")),
  firstEventAt: time("its first event, by the agent's clock where it gives times"),
  lastEventAt: time("its last event, by the agent's clock where it gives times"),
  durationMs: Type.Number({ description: "from its first to its last event, by the agent's clock where that makes sense" }),
  firstPosition: naturalNumber(),
  lastPosition: naturalNumber(),
  counts: Type.Object({
    events: naturalNumber(),
    calls: naturalNumber(),
    failedCalls: naturalNumber(),
    errors: naturalNumber(),
    prompts: naturalNumber(),
    openRequests: naturalNumber(),
    alerts: naturalNumber(),
    flags: naturalNumber(),
  }),
  tokens,
  costUsd,
  lastSummary: maybeText("what it did last, in its own words"),
  marks: listOf(Type.String(), { description: "`started-late`, `spoke-after-end`, `never-started`, `gap`" }),
};
export const sessionViewSchema = Type.Object(session, { title: "Session" });
export type SessionView = Static<typeof sessionViewSchema>;

export const treeSchema = Type.Object({
  nodes: listOf(Type.Object({ ...session, depth: naturalNumber() }), { description: "root first, each parent before its children" }),
  cut: Type.Boolean({ description: "the tree has more sessions than are listed" }),
});
export type SessionTree = Static<typeof treeSchema>;

const laneSpanSchema = Type.Object({
  position: naturalNumber(),
  tool: Type.String(),
  state: Type.Enum(["tool", "waiting", "failed"]),
  from: time("began, by the agent's clock"),
  to: maybe(time("ended, by the agent's clock; left out while it goes on")),
});
export const laneSchema = Type.Object(
  {
    session: sessionViewSchema,
    spans: listOf(laneSpanSchema, { description: "its calls within the time, the newest few hundred, oldest first" }),
  },
  { title: "Lane" },
);
/** A session over a time: its calls as spans. */
export type SessionLane = Static<typeof laneSchema>;
export type LaneSpan = Static<typeof laneSpanSchema>;

export const courseSchema = Type.Object(
  {
    from: time("its first event, by the agent's clock"),
    to: time("its last event, by the agent's clock"),
    buckets: listOf(
      Type.Object({
        calls: naturalNumber({ description: "calls that began" }),
        failed: naturalNumber({ description: "calls that ended with a failure" }),
        toolMs: naturalNumber({ description: "with a call under way" }),
        waitingMs: naturalNumber({ description: "with a call that waited for a person" }),
      }),
      { description: "equal parts of the time between, in order" },
    ),
  },
  { title: "Course" },
);
/** All of a session over time, however long it is. */
export type SessionCourse = Static<typeof courseSchema>;

export const callViewSchema = Type.Object(
  {
    session: sessionKey,
    position: naturalNumber({ description: "of its first entry" }),
    callId: maybe(Type.String()),
    tool: Type.String(),
    subject: maybeText("what it acts on, short: the command, the path, the address"),
    state: Type.Enum([
      ...(["requested", "approved", "waiting", "paused", "left-to-the-agent", "running"] as const),
      ...(["succeeded", "failed", "timeout", "cancelled", "denied", "unknown"] as const),
    ]),
    startedAt: time("start stored"),
    endedAt: maybe(time("end stored")),
    durationMs: maybe(Type.Number()),
    measured: Type.Boolean({ description: "false where the agent reported the duration" }),
    input: maybe(Type.String()),
    result: maybe(Type.String()),
    error: maybe(Type.String()),
    metadata: maybeText("further members of its end, as JSON"),
    decidedAt: maybe(time("allowed or denied, by the clock of the decision")),
    decidedBy: maybe(Type.String()),
    reason: maybeText("why it was decided so"),
    marks: listOf(Type.String(), { description: "`ran-despite-denial`, `ended-without-start`, `ended-twice`" }),
    costUsd,
    tokens,
  },
  { title: "Call" },
);
/** One call of a tool, skill or subagent, joined from all its entries in any order. */
export type CallView = Static<typeof callViewSchema>;

const outputViewSchema = Type.Object({
  outputId: maybe(Type.String()),
  text: Type.String(),
  complete: Type.Boolean(),
  gaps: Type.Boolean({ description: "text is missing, or more came than is kept" }),
  cut: Type.Boolean(),
  contentType: maybe(Type.String()),
  language: maybe(Type.String()),
});
export type OutputView = Static<typeof outputViewSchema>;

/** A new type goes to the end, because the index is a part of an alert's number. */
export const ALERT_TYPES = [
  "loop",
  "error_cascade",
  "confidence_drop",
  "stall",
  "cost_spike",
  "conformance_violation",
  "request_waiting",
] as const;
export type AlertType = (typeof ALERT_TYPES)[number];

export const alertSchema = Type.Object(
  {
    number: naturalNumber(),
    type: Type.Enum(ALERT_TYPES),
    severity: Type.Enum(["warning", "critical"]),
    message: text("one sentence with the numbers"),
    session: sessionKey,
    sessionId: Type.String(),
    protocol,
    source: Type.String(),
    agent: Type.String(),
    position: naturalNumber({ description: "the entry that raised it; for silence, the last one before it" }),
    at: time("raised"),
    rule: maybe(Type.String()),
  },
  { title: "Alert" },
);
export type Alert = Static<typeof alertSchema>;

const storyItemSchema = Type.Object({
  position: naturalNumber(),
  receivedAt: time("stored"),
  activity: Type.Unsafe<Activity>({ type: "object", description: "what the event means, whatever its protocol" }),
  call: maybe(callViewSchema),
  output: maybe(outputViewSchema),
  continues: maybe(naturalNumber({ description: "belongs to the item at this position; listed for its flags and alerts" })),
  flags: listOf(Type.Unsafe<Flag>({ type: "object", description: "findings on the entry" })),
  alerts: listOf(alertSchema),
  redactions: naturalNumber(),
});
/** One item of the story. A call is one item from request to outcome; an output is one assembled item. */
export type StoryItem = Static<typeof storyItemSchema>;

export const storyPageSchema = Type.Object({
  ...listedSchema(storyItemSchema).properties,
  earlier: maybe(naturalNumber({ description: "the `before` of the page that precedes this one, on pages read backwards" })),
});
export type StoryPage = Static<typeof storyPageSchema>;

export const COST_GROUPS = ["session", "tool", "model", "agent", "project", "day"] as const;
export type CostGroup = (typeof COST_GROUPS)[number];

const costs = { costUsd, tokens, events: naturalNumber() };
export const costTableSchema = Type.Object({
  lines: listOf(Type.Object({ name: Type.String(), session: maybe(sessionKey), ...costs }), {
    description: "most expensive first, days newest first; only what agents reported",
  }),
  total: Type.Object(costs),
  more: Type.Boolean(),
});
export type CostTable = Static<typeof costTableSchema>;

export const searchHitSchema = Type.Object({
  position: naturalNumber(),
  session: sessionKey,
  sessionId: Type.String(),
  protocol,
  agent: Type.String(),
  type: Type.String(),
  receivedAt: time("stored"),
  field: text("which text: `prompt`, `thought`, `tool`, `command`, `output`, `error`, `other`"),
  snippet: text("the text around the match"),
  marks: listOf(Type.Immutable(Type.Tuple([naturalNumber(), naturalNumber()])), {
    description: "where matches begin and end in the snippet, in UTF-16 units",
  }),
});
export type SearchHit = Static<typeof searchHitSchema>;

export const gradeSchema = Type.Object({
  grade: Type.Enum(["A", "B", "C", "D"], { description: "A: no finding; B: only information; C: warnings; D: errors" }),
  events: naturalNumber(),
  rules: listOf(
    Type.Object({
      rule: Type.String(),
      severity: Type.Enum(severities),
      count: naturalNumber(),
      firstPosition: naturalNumber(),
      lastPosition: naturalNumber(),
    }),
  ),
});
export type SessionGrade = Static<typeof gradeSchema>;
