import type { ProtocolName, Severity } from "@earshot/protocol";

/**
 * The activity in a recording: for each agent in each session its states, parallel tool calls, requests, output, subagents and rule
 * violations. A plain value of bounded size, independent of the recording's length. Texts come from the agents; they are shortened but
 * untrusted, and every renderer must sanitize them.
 */
export interface RecordingTrace {
  /** The file, or the session in the hub. */
  readonly title: string;
  readonly protocols: readonly ProtocolName[];
  readonly events: number;
  /** Handshake messages, replies, hook responses and manifests between the events. */
  readonly messages: number;
  /** Lines that are neither events nor messages. */
  readonly unreadable: number;
  /** Each parent above its children, which directly follow it. */
  readonly sections: readonly Section[];
  /** Number of sections that are not drawn, and of their events. */
  readonly leftOut: { readonly sections: number; readonly events: number };
  /** In the order of the recording. `counts` includes all violations; the list is limited to the first ones. */
  readonly violations: readonly Violation[];
  readonly counts: Readonly<Record<Severity, number>>;
  /** Further information for the reader: what was forgotten, or why the trace is drawn this way. */
  readonly notes: readonly string[];
}

/** One place in the recording. */
export interface TraceMoment {
  /** Counts events, messages and unreadable lines from 1. */
  readonly entry: number;
  /** Line of the file. */
  readonly line: number;
  /** By the agent's clock; never earlier than a previous moment. Missing before the first event with a time. */
  readonly ms?: number;
}

/** A broken rule, at the event that breaks it. */
export interface Violation {
  /** Position in the list from 1; the picture and the text use this number. */
  readonly number: number;
  readonly severity: Severity;
  /** The rule's id; the problem's code for an entry that is not an event. */
  readonly rule: string;
  readonly message: string;
  readonly hint: string;
  readonly line: number;
  readonly eventId?: string;
  readonly session?: string;
  /** Event type. */
  readonly type?: string;
  /** Line of the earlier related event. */
  readonly since?: number;
  /** Index of the section; missing if the session is not drawn. */
  readonly section?: number;
  readonly at?: TraceMoment;
}

/** One agent in one session. Entries without a session have a section without an id. */
export interface Section {
  /** Index in `Trace.sections`. */
  readonly index: number;
  readonly protocol: ProtocolName | undefined;
  /** Empty for entries without a session. */
  readonly session: string;
  readonly agent: string;
  readonly agentName?: string;
  readonly goal?: string;
  /** Index of the parent section. */
  readonly parent?: number;
  readonly depth: number;
  readonly events: number;
  /** Answers and other messages that accompany the events, and unreadable lines. */
  readonly messages: number;
  readonly first: TraceMoment;
  readonly last: TraceMoment;
  /** Shared by a whole family, so that simultaneous events are aligned vertically. */
  readonly axis: Axis;
  /** How the session ended, if the recording says so. */
  readonly outcome?: string;
  /** The agent reports no states: they are derived from its activities. */
  readonly statesAreRead: boolean;
  readonly state: SpanLanes<StateSpan>;
  readonly tools: SpanLanes<ToolSpan> & { readonly names: readonly ToolTally[]; readonly failed: number };
  readonly requests: SpanLanes<RequestSpan>;
  readonly output: SpanLanes<OutputSpan> & { readonly characters: number };
  readonly subagents: SpanLanes<SubagentSpan>;
  /** Reported failures other than those of tool calls. */
  readonly errors: number;
  /** The same data in equal portions of events, for lanes with too many spans to draw individually. */
  readonly buckets: readonly Bucket[];
  readonly violations: Readonly<Record<Severity, number>>;
}

/** The spans of one kind over time. */
export interface SpanLanes<One extends TraceSpan> {
  /** In order of beginning; undefined if there are too many, in which case the buckets have the data. */
  readonly spans: readonly One[] | undefined;
  readonly count: number;
  /** The maximum number at the same time. */
  readonly atOnce: number;
}

export interface TraceSpan {
  readonly from: TraceMoment;
  readonly to: TraceMoment;
  /** The recording contains no end: the span extends to the section's last event. */
  readonly open: boolean;
}

export interface StateSpan extends TraceSpan {
  readonly state: StateName;
  /** The agent's own name of the state. */
  readonly word: string;
}

/** The states with their own appearance; any other state is `other`. */
export const TRACE_STATES = [
  "idle",
  "thinking",
  "deciding",
  "calling_tool",
  "awaiting_input",
  "writing_output",
  "handing_off",
  "other",
] as const;
export type StateName = (typeof TRACE_STATES)[number];

export interface ToolSpan extends TraceSpan {
  readonly tool: string;
  readonly callId?: string;
  /** Row to draw the span in, from 0: overlapping spans have different rows, up to a maximum number of rows. */
  readonly row: number;
  readonly outcome?: ToolOutcome;
}

export type ToolOutcome = "succeeded" | "failed" | "denied" | "cancelled" | "timeout" | "unknown";

export interface ToolTally {
  readonly tool: string;
  readonly calls: number;
  readonly failed: number;
}

export interface RequestSpan extends TraceSpan {
  readonly request: "confirmation" | "clarification" | "permission" | "handoff";
  readonly row: number;
  readonly prompt: string;
  /** The answer: `accept`, `deny` or a text. Missing if the recording does not contain it. */
  readonly answer?: string;
  readonly by?: string;
}

export interface OutputSpan extends TraceSpan {
  readonly row: number;
  readonly characters: number;
  readonly chunks: number;
}

export interface SubagentSpan extends TraceSpan {
  readonly row: number;
  readonly name: string;
  /** The subagent's session, if named. */
  readonly child?: string;
  /** Index of the subagent's own section, if it has one. */
  readonly section?: number;
  readonly outcome?: string;
}

/** An aggregated portion of a section's events. */
export interface Bucket {
  readonly from: TraceMoment;
  readonly to: TraceMoment;
  readonly events: number;
  /** In the order of `STATES`: the duration of each state, in milliseconds and in events. */
  readonly stateMs: readonly number[];
  readonly stateEvents: readonly number[];
  /** The maximum number at the same time. */
  readonly tools: number;
  readonly subagents: number;
  readonly requests: number;
  readonly toolsStarted: number;
  readonly toolsFailed: number;
  readonly requestsAsked: number;
  readonly characters: number;
  readonly violations: Readonly<Record<Severity, number>>;
}

/** The horizontal axis: time by the agent's clock if usable, otherwise the order of the entries. */
export interface Axis {
  readonly kind: "time" | "order";
  /** Unix milliseconds, or entry numbers. */
  readonly from: number;
  readonly to: number;
  /** Long silences, in order. They are drawn shortened and marked. */
  readonly silences: readonly { readonly from: number; readonly to: number }[];
}
