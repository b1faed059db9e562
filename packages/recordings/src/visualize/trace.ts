import type { ProtocolName, Severity } from "@earshot/protocol";

/**
 * What a recording looks like as a machine at work: for each agent in each session what it was doing, which tools ran side by
 * side, what it asked, what it put out, whom it set to work, and where it broke a rule. A plain value of bounded size, whatever
 * the recording's length. Texts are the agents' own, cut but untrusted: whoever shows them makes them harmless.
 */
export interface Trace {
  /** The file, or the session in the hub. */
  readonly title: string;
  readonly protocols: readonly ProtocolName[];
  readonly events: number;
  /** Handshake messages, replies, hook responses and manifests between the events. */
  readonly messages: number;
  /** Lines that are neither. */
  readonly unreadable: number;
  /** Each before those it set to work, which stand right below it. */
  readonly sections: readonly Section[];
  /** Agents in sessions that are not drawn, and how much they said. */
  readonly leftOut: { readonly sections: number; readonly events: number };
  /** In the order of the recording. `counts` counts all; of very many only the first ones are listed. */
  readonly violations: readonly Violation[];
  readonly counts: Readonly<Record<Severity, number>>;
  /** What else a reader has to know: what was forgotten, or why it is drawn the way it is. */
  readonly notes: readonly string[];
}

/** One place in the recording. */
export interface Moment {
  /** Counts events, messages and unreadable lines from 1. */
  readonly entry: number;
  /** Line of the file. */
  readonly line: number;
  /** By the agent's clock, never before the moments told earlier. Left out while no time was told. */
  readonly ms?: number;
}

/** A rule that was broken, at the event that breaks it. */
export interface Violation {
  /** 1 for the first of the list: what the picture and the text call it. */
  readonly number: number;
  readonly severity: Severity;
  /** The rule's id; for what is no event at all the problem's code. */
  readonly rule: string;
  readonly message: string;
  readonly hint: string;
  readonly line: number;
  readonly eventId?: string;
  readonly session?: string;
  /** Type of the event. */
  readonly type?: string;
  /** Line of the earlier event concerned. */
  readonly since?: number;
  /** Where it is drawn; left out where its session is not drawn. */
  readonly section?: number;
  readonly at?: Moment;
}

/** One agent in one session. What belongs to no session has a section without an id. */
export interface Section {
  /** Place in `Trace.sections`. */
  readonly index: number;
  readonly protocol: ProtocolName | undefined;
  /** Empty for what belongs to no session. */
  readonly session: string;
  readonly agent: string;
  readonly agentName?: string;
  readonly goal?: string;
  /** Whom it works for: the section's index. */
  readonly parent?: number;
  readonly depth: number;
  readonly events: number;
  /** Answers and other messages beside its events, and lines that are neither. */
  readonly messages: number;
  readonly first: Moment;
  readonly last: Moment;
  /** Shared by all of one family, so that what happened at once stands below each other. */
  readonly axis: Axis;
  /** How the session ended, where anybody said so. */
  readonly outcome?: string;
  /** Nobody told states: they are read from what the agent did. */
  readonly statesAreRead: boolean;
  readonly state: Lane<StateSpan>;
  readonly tools: Lane<ToolSpan> & { readonly names: readonly ToolTally[]; readonly failed: number };
  readonly requests: Lane<RequestSpan>;
  readonly output: Lane<OutputSpan> & { readonly characters: number };
  readonly subagents: Lane<SubagentSpan>;
  /** Failures that the agent told of besides those of tools. */
  readonly errors: number;
  /** The same in equal portions of events, for what has too many spans to be drawn one by one. */
  readonly buckets: readonly Bucket[];
  readonly violations: Readonly<Record<Severity, number>>;
}

/** A kind of span over time. */
export interface Lane<One extends Span> {
  /** In the order in which they began; undefined when there are too many: then the buckets tell it. */
  readonly spans: readonly One[] | undefined;
  readonly count: number;
  /** The most at once. */
  readonly atOnce: number;
}

export interface Span {
  readonly from: Moment;
  readonly to: Moment;
  /** Nothing said that it ended: it reaches to the section's last event. */
  readonly open: boolean;
}

export interface StateSpan extends Span {
  readonly state: StateName;
  /** As the agent calls it. */
  readonly word: string;
}

/** The states that have a look of their own; whatever else an agent calls its state is `other`. */
export const STATES = ["idle", "thinking", "deciding", "calling_tool", "awaiting_input", "writing_output", "handing_off", "other"] as const;
export type StateName = (typeof STATES)[number];

export interface ToolSpan extends Span {
  readonly tool: string;
  readonly callId?: string;
  /** Row to draw it in, from 0: no two that run at once share one, up to a bound. */
  readonly row: number;
  readonly outcome?: ToolOutcome;
}

export type ToolOutcome = "succeeded" | "failed" | "denied" | "cancelled" | "timeout" | "unknown";

export interface ToolTally {
  readonly tool: string;
  readonly calls: number;
  readonly failed: number;
}

export interface RequestSpan extends Span {
  readonly request: "confirmation" | "clarification" | "permission" | "handoff";
  readonly row: number;
  readonly prompt: string;
  /** What was answered: `accept`, `deny`, words. Left out where the recording does not say. */
  readonly answer?: string;
  readonly by?: string;
}

export interface OutputSpan extends Span {
  readonly row: number;
  readonly characters: number;
  readonly chunks: number;
}

export interface SubagentSpan extends Span {
  readonly row: number;
  readonly name: string;
  /** Its session, where it was named. */
  readonly child?: string;
  /** Its own section, where it has one. */
  readonly section?: number;
  readonly outcome?: string;
}

/** A portion of a section's events, put together. */
export interface Bucket {
  readonly from: Moment;
  readonly to: Moment;
  readonly events: number;
  /** In the order of `STATES`: how long each state lasted, in milliseconds, and in events. */
  readonly stateMs: readonly number[];
  readonly stateEvents: readonly number[];
  /** The most at once. */
  readonly tools: number;
  readonly subagents: number;
  readonly requests: number;
  readonly toolsStarted: number;
  readonly toolsFailed: number;
  readonly requestsAsked: number;
  readonly characters: number;
  readonly violations: Readonly<Record<Severity, number>>;
}

/** What stands along the picture: time by the agent's clock where it can be used, else the order of the entries. */
export interface Axis {
  readonly kind: "time" | "order";
  /** Milliseconds since 1970, or numbers of entries. */
  readonly from: number;
  readonly to: number;
  /** Long silences, in order. They are drawn short, and marked. */
  readonly silences: readonly { readonly from: number; readonly to: number }[];
}
