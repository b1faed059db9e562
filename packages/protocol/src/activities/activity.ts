import type { JsonObject, JsonValue } from "../json.ts";

/**
 * The meaning of an event, independent of its protocol. A pure reader derives it from the event; it never replaces the event in storage.
 * One event may yield several activities; an event without a kind here is `custom`.
 *
 * Members that were not supplied are left out: nothing is computed, guessed or defaulted. Text comes from the agent, is untrusted and has
 * any length. Two kinds of members are always present and empty if the event does not supply them: `text` and the like, because a
 * producer may report an utterance and withhold its words, and the name of a `tool`.
 */
export type Activity = { readonly [Kind in ActivityKind]: ActivityBase & { readonly kind: Kind } & ActivityDetails[Kind] }[ActivityKind];

/** Members that any event may have. They are equal in all activities of one event, except `tokens` and `costUsd`. */
export interface ActivityBase {
  readonly protocol: "aaep" | "aep" | "aop";
  /** The protocol's own name of the event, with aliases resolved. */
  readonly type: string;
  readonly session: string;
  readonly agent: string;
  /** The agent's display name. */
  readonly agentName?: string;
  /** The event's own id; an answer may refer to it. */
  readonly eventId?: string;
  /** The emitter's clock, as written; never used for windows or liveness. */
  readonly at?: string;
  /** Set only if this event states its own session's parent, so the child emitted it. */
  readonly parent?: ActivityParent;
  /** The id of the conversation, if it differs from the session's; a child may name its parent by it. */
  readonly conversation?: string;
  /** One prompt and everything it caused. */
  readonly turn?: string;
  /** The working directory. */
  readonly workspace?: string;
  readonly model?: string;
  readonly provider?: string;
  /** On at most one activity per event, so a sum over activities counts each event once. */
  readonly tokens?: TokenAmounts;
  /** Supplied by the agent, in US dollars. On at most one activity per event. */
  readonly costUsd?: CountedAmount;
  /** Fill level of the model's context: a level, not consumption. */
  readonly context?: ContextLevel;
  /** The agent's own announcement; of several lengths, the normal one first. */
  readonly summary?: string;
  /** The announcement in each supplied length. */
  readonly summaries?: AgentSummaries;
  readonly urgency?: "background" | "normal" | "critical";
  /** BCP 47 language of the texts. */
  readonly language?: string;
  readonly attachments?: readonly ActivityAttachment[];
  /** Additions by the agent, unchanged: AOP `metadata`, AAEP and AEP `extensions`. */
  readonly metadata?: JsonObject;
}

export interface ActivityParent {
  /** Id of a session, or of a conversation that some session has as `conversation`. */
  readonly session: string;
  readonly relation?: "subagent" | "fork" | "resume" | "continuation";
  /** The parent's tool call that created the child. */
  readonly callId?: string;
}

/** `counts`: the total of the session so far, or the amount this event adds. */
export interface CountedAmount {
  readonly value: number;
  readonly counts: "total" | "delta";
  /** The event does not say which; this is the usual meaning of a number in this place. */
  readonly presumed?: true;
}

/** The parts as supplied. Vendors differ on whether `input` includes cached tokens. */
export interface TokenAmounts {
  readonly counts: "total" | "delta";
  /** As in `Amount`. */
  readonly presumed?: true;
  readonly input?: number;
  readonly output?: number;
  readonly total?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly reasoning?: number;
}

export interface ContextLevel {
  readonly tokens?: number;
  readonly limit?: number;
  readonly percent?: number;
}

export interface AgentSummaries {
  readonly terse?: string;
  readonly normal?: string;
  readonly detailed?: string;
}

export interface ActivityAttachment {
  readonly type?: string;
  readonly name?: string;
  readonly mimeType?: string;
  readonly url?: string;
  readonly sizeBytes?: number;
}

export type ActivityRisk = "low" | "medium" | "high";
export type ActivityConfidence = "low" | "medium" | "high";

/** Text for a person to read. */
interface Words {
  /** Empty if the event reports the utterance without its text. */
  readonly text: string;
  /** The producer's display style: `markdown`, `plain_text` … */
  readonly style?: string;
  /** The producer truncated the text; `originalLength` is its length in characters before. */
  readonly truncated?: boolean;
  readonly originalLength?: number;
}

interface ToolCall {
  /** Joins the events of one call; left out if the protocol has none. */
  readonly callId?: string;
  /** Empty if the event does not name one. */
  readonly tool: string;
  /** The tool's display name, if it has another. */
  readonly toolTitle?: string;
  readonly toolKind?: "tool" | "skill" | "subagent" | "other";
  /** The server that provides the tool. */
  readonly server?: string;
  /** Short target of the call: the command, path or address, or the agent's own summary of the arguments. */
  readonly subject?: string;
}

interface ToolIntent extends ToolCall {
  /** As sent. */
  readonly input?: JsonValue;
  readonly risk?: ActivityRisk;
  readonly reversible?: boolean;
  /** The agent's reason. */
  readonly why?: string;
  /** Text for a person, sent along with the call. */
  readonly note?: string;
}

/** Details of a failure. */
interface Failure {
  readonly code?: string;
  /** `transient`, `permanent`, `requires_user` … */
  readonly category?: string;
  readonly recoverable?: boolean;
  readonly hint?: string;
}

export interface ActivityDetails {
  "session.opened": {
    readonly goal?: string;
    readonly version?: string;
    /** The session existed before: it was resumed, or continues after its context was compacted. */
    readonly resumed?: boolean;
    /** How the session began, in the producer's word. */
    readonly source?: string;
    readonly requestedBy?: string;
    readonly tools?: readonly string[];
    readonly expectedMs?: number;
  };
  "session.closed": Failure & {
    readonly outcome: "completed" | "failed" | "cancelled" | "timeout" | "unknown";
    readonly summary?: string;
    readonly error?: string;
    readonly steps?: number;
    readonly calls?: number;
    readonly durationMs?: number;
    /** Why the session ended, in the producer's word; `by` is the party that ended it. */
    readonly reason?: string;
    readonly by?: string;
    /** The output, possibly partial; `resultUri` is its location. */
    readonly result?: string;
    readonly resultUri?: string;
  };
  /** The agent starts working, or finishes and waits for the next prompt; the session continues. */
  "turn.started": { readonly reason?: string };
  "turn.ended": { readonly reason?: string; readonly durationMs?: number };
  state: { readonly from?: string; readonly to: string; readonly summary?: string; readonly expectedMs?: number };
  progress: {
    readonly percent?: number;
    readonly step?: number;
    readonly steps?: number;
    readonly summary?: string;
    readonly remainingMs?: number;
  };
  thought: Words & { readonly confidence?: ActivityConfidence; readonly next?: string; readonly durationMs?: number };
  goal: {
    readonly text: string;
    readonly status?: "set" | "in_progress" | "completed" | "abandoned";
    readonly parentGoal?: string;
  };
  decision: {
    readonly text: string;
    readonly alternatives?: readonly string[];
    readonly why?: string;
    readonly confidence?: ActivityConfidence;
  };
  uncertainty: { readonly text: string; readonly confidence?: ActivityConfidence };
  prompt: Words;
  response: Words;
  /**
   * A piece of an output. Without `position`, pieces are appended in order of arrival. A `response` that follows pieces without an
   * `outputId` repeats the same text in full.
   */
  "output.chunk": {
    readonly outputId?: string;
    readonly text: string;
    /** In code points from the start of the output. */
    readonly position?: number;
    readonly last: boolean;
    readonly contentType?: string;
    readonly language?: string;
    /** The streamed output; a response if not given. */
    readonly of?: "response" | "thought";
    /** The boundary at which the piece ends. */
    readonly boundary?: string;
  };
  "tool.requested": ToolIntent;
  /** A decision on a call, or a refusal to give one. Joined by `callId`, or by the id of the event it answers. */
  "tool.decided": {
    readonly callId?: string;
    readonly tool?: string;
    readonly requestEventId?: string;
    /** `asked`: a person decides; `deferred`: paused; `abstained`: left to the agent. */
    readonly verdict: "approved" | "denied" | "asked" | "deferred" | "abstained" | "unknown";
    /** The protocol's own word: `allow`, `block`, `stop` … */
    readonly behavior?: string;
    readonly by?: string;
    readonly why?: string;
    /** Text for the agent. */
    readonly message?: string;
    readonly policy?: string;
    readonly newInput?: JsonValue;
    /** Text added to the model's context. */
    readonly addedContext?: string;
    readonly afterMs?: number;
  };
  "tool.started": ToolIntent & { readonly summary?: string; readonly description?: string; readonly expectedMs?: number };
  "tool.ended": ToolCall & {
    readonly outcome: "succeeded" | "failed" | "denied" | "cancelled" | "timeout" | "unknown";
    /** The result, or the agent's summary of it, if it is text. */
    readonly result?: string;
    /** The result, if it is not plain text. */
    readonly output?: JsonValue;
    readonly error?: string;
    readonly code?: string;
    readonly durationMs?: number;
    /** Set if the end repeats the input of the start. */
    readonly input?: JsonValue;
  };
  "request.asked": {
    readonly request: "confirmation" | "clarification" | "permission" | "handoff";
    /** Answers refer to this token. Without one they refer to `eventId`, or to nothing. */
    readonly token?: string;
    readonly prompt: string;
    readonly consequence?: string;
    readonly background?: string;
    /** Labels shown to a person; `choiceValues` are the answers, in the same order, if they differ. */
    readonly choices?: readonly string[];
    readonly choiceValues?: readonly string[];
    /** Accepted kinds of answers: `freetext`, `yes_no`, `multiple_choice`, `numeric`. */
    readonly accepts?: readonly string[];
    readonly risk?: ActivityRisk;
    readonly reversible?: boolean;
    /** The call in question. */
    readonly callId?: string;
    readonly tool?: string;
    readonly timeoutMs?: number;
    readonly byDefault?: string;
  };
  "request.answered": {
    readonly request?: "confirmation" | "clarification" | "permission" | "handoff";
    readonly token?: string;
    readonly answer: string;
    readonly by?: string;
    readonly reason?: string;
    /** The action to take instead of the requested one. */
    readonly change?: JsonValue;
  };
  /** A request to hand over to another party; no event reports whether one accepts. */
  handoff: {
    /** The target as an address; `targetKind` otherwise. */
    readonly to?: string;
    readonly targetKind?: string;
    readonly reason?: string;
    /** Business priority, which is independent of how loudly to announce it. */
    readonly priority?: string;
    /** Information for the party that takes over. */
    readonly briefing?: JsonObject;
  };
  /** `child` is a session id or the parent's own name for the child. It equals `session` if the child itself reports it. */
  "subagent.started": {
    readonly child?: string;
    readonly childAgent?: string;
    readonly goal?: string;
    readonly why?: string;
    readonly callId?: string;
  };
  "subagent.ended": {
    readonly child?: string;
    readonly childAgent?: string;
    readonly outcome?: string;
    readonly result?: string;
    readonly durationMs?: number;
    readonly callId?: string;
  };
  memory: { readonly operation?: "read" | "write" | "delete"; readonly key?: string; readonly summary?: string };
  "external.call": {
    readonly method?: string;
    /** Empty if the event does not name one. */
    readonly target: string;
    readonly status?: number;
    readonly durationMs?: number;
    readonly error?: string;
  };
  "context.compacted": { readonly trigger?: string; readonly summary?: string };
  "workspace.changed": { readonly path?: string; readonly change?: string };
  /** `text` if the plan is prose; `items` as far as they can be separated. */
  plan: { readonly items: readonly { readonly text: string; readonly status?: string }[]; readonly text?: string };
  /** `topic`: the producer's name for this kind of notification. */
  notification: Words & { readonly level?: string; readonly topic?: string };
  error: Failure & { readonly message: string; readonly callId?: string; readonly tool?: string };
  heartbeat: { readonly status?: string; readonly step?: number; readonly goal?: string };
  /** `data`: the content, unchanged. */
  custom: { readonly summary?: string; readonly data?: JsonObject };
}

export type ActivityKind = keyof ActivityDetails;
