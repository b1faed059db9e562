import type { JsonObject, JsonValue } from "../json.ts";

/**
 * What an event means, whatever protocol it was said in. Derived from an event by a pure reader and never stored in its
 * place. One event may mean several activities; one that has no name here is `custom`.
 *
 * Members that nobody supplied are left out: nothing is computed, guessed or defaulted. Text is the agent's own, untrusted
 * and of any length. Two kinds of members are always there and empty when the event does not say: `text` and the like,
 * since a producer may tell that something was said and keep the words to itself, and the name of a `tool`.
 */
export type Activity = { readonly [Kind in ActivityKind]: ActivityBase & { readonly kind: Kind } & ActivityDetails[Kind] }[ActivityKind];

/** What any event may say besides. All activities of one event say it alike, but for `tokens` and `costUsd`. */
export interface ActivityBase {
  readonly protocol: "aaep" | "aep" | "aop";
  /** The protocol's own name of the event, aliases resolved. */
  readonly type: string;
  readonly session: string;
  readonly agent: string;
  /** The agent's name for people. */
  readonly agentName?: string;
  /** The event's own id; an answer may refer to it. */
  readonly eventId?: string;
  /** The emitter's clock, as written; never used for windows or liveness. */
  readonly at?: string;
  /** Said by this event about its own session, hence by the child itself. */
  readonly parent?: Parent;
  /** The thread it belongs to, where it has a name of its own besides the session: a parent may be called by it. */
  readonly conversation?: string;
  /** One prompt and everything it caused. */
  readonly turn?: string;
  /** The folder it works in. */
  readonly workspace?: string;
  readonly model?: string;
  readonly provider?: string;
  /** On one activity of an event at most, so that adding up activities counts each event once. */
  readonly tokens?: Tokens;
  /** Supplied by the agent, in US dollars. On one activity of an event at most. */
  readonly costUsd?: Amount;
  /** How full the model's context is: a level, not a spending. */
  readonly context?: ContextLevel;
  /** The agent's own announcement; of several lengths, the middle one first. */
  readonly summary?: string;
  /** The announcement at each length that was supplied. */
  readonly summaries?: Summaries;
  readonly urgency?: "background" | "normal" | "critical";
  /** BCP 47, of the texts. */
  readonly language?: string;
  readonly attachments?: readonly Attachment[];
  /** What the agent added of its own accord, as it is: AOP `metadata`, AAEP and AEP `extensions`. */
  readonly metadata?: JsonObject;
}

export interface Parent {
  /** Id of a session; or of a conversation, which some session may have as `conversation`. */
  readonly session: string;
  readonly relation?: "subagent" | "fork" | "resume" | "continuation";
  /** The call of the parent that made the child. */
  readonly callId?: string;
}

/** Whether a number is the total of the session so far or what this event adds. */
export interface Amount {
  readonly value: number;
  readonly counts: "total" | "delta";
  /** Nobody said which of the two: it is what a number in this place usually is. */
  readonly presumed?: true;
}

/** The parts as they were supplied: whether `input` includes what came from a cache differs from vendor to vendor. */
export interface Tokens {
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

export interface Summaries {
  readonly terse?: string;
  readonly normal?: string;
  readonly detailed?: string;
}

export interface Attachment {
  readonly type?: string;
  readonly name?: string;
  readonly mimeType?: string;
  readonly url?: string;
  readonly sizeBytes?: number;
}

export type Risk = "low" | "medium" | "high";
export type Confidence = "low" | "medium" | "high";

/** Words for a person to read. */
interface Words {
  /** Empty where the event says that it happened and not what was said. */
  readonly text: string;
  /** How the producer would show it: `markdown`, `plain_text` … */
  readonly style?: string;
  /** The producer cut it, and how many characters it had before. */
  readonly truncated?: boolean;
  readonly originalLength?: number;
}

interface ToolCall {
  /** Joins the parts of one call; left out where the protocol gives none. */
  readonly callId?: string;
  /** Empty where nobody named it. */
  readonly tool: string;
  /** The tool's name for people, where it has another one. */
  readonly toolTitle?: string;
  readonly toolKind?: "tool" | "skill" | "subagent" | "other";
  /** The server that supplies it. */
  readonly server?: string;
  /** What it acts on, short: the command, the path, the address; or the agent's own summary of the arguments. */
  readonly subject?: string;
}

interface ToolIntent extends ToolCall {
  /** As sent. */
  readonly input?: JsonValue;
  readonly risk?: Risk;
  readonly reversible?: boolean;
  /** Why the agent wants it. */
  readonly why?: string;
  /** Words for a person that came with it. */
  readonly note?: string;
}

/** What is known about a failure. */
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
    /** It was there before: resumed, or goes on after its context was compacted. */
    readonly resumed?: boolean;
    /** How it began, in the producer's word. */
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
    /** Why it ended, in the producer's word, and who ended it. */
    readonly reason?: string;
    readonly by?: string;
    /** What was produced, also in part, and where it can be found. */
    readonly result?: string;
    readonly resultUri?: string;
  };
  /** The agent begins to work on something, or is done with it and waits for the next: the session goes on. */
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
  thought: Words & { readonly confidence?: Confidence; readonly next?: string; readonly durationMs?: number };
  goal: {
    readonly text: string;
    readonly status?: "set" | "in_progress" | "completed" | "abandoned";
    readonly parentGoal?: string;
  };
  decision: {
    readonly text: string;
    readonly alternatives?: readonly string[];
    readonly why?: string;
    readonly confidence?: Confidence;
  };
  uncertainty: { readonly text: string; readonly confidence?: Confidence };
  prompt: Words;
  response: Words;
  /**
   * A piece of an output. Without `position` the pieces follow each other as they come. A `response` after pieces without
   * an `outputId` tells the same text whole.
   */
  "output.chunk": {
    readonly outputId?: string;
    readonly text: string;
    /** In code points from the beginning of the output. */
    readonly position?: number;
    readonly last: boolean;
    readonly contentType?: string;
    readonly language?: string;
    /** What is streamed; an answer where nobody says. */
    readonly of?: "response" | "thought";
    /** The boundary that the piece ends on. */
    readonly boundary?: string;
  };
  "tool.requested": ToolIntent;
  /** Somebody decided about a call, or refused an opinion. Joined by `callId`, or by the id of the event it answers. */
  "tool.decided": {
    readonly callId?: string;
    readonly tool?: string;
    readonly requestEventId?: string;
    /** `asked`: a person is to decide; `deferred`: paused; `abstained`: left to the agent. */
    readonly verdict: "approved" | "denied" | "asked" | "deferred" | "abstained" | "unknown";
    /** The protocol's own word: `allow`, `block`, `stop` … */
    readonly behavior?: string;
    readonly by?: string;
    readonly why?: string;
    /** Words for the agent. */
    readonly message?: string;
    readonly policy?: string;
    readonly newInput?: JsonValue;
    /** Text added to what the model knows. */
    readonly addedContext?: string;
    readonly afterMs?: number;
  };
  "tool.started": ToolIntent & { readonly summary?: string; readonly description?: string; readonly expectedMs?: number };
  "tool.ended": ToolCall & {
    readonly outcome: "succeeded" | "failed" | "denied" | "cancelled" | "timeout" | "unknown";
    /** The result, or the agent's summary of it, where it is a text. */
    readonly result?: string;
    /** The result where it is more than a text. */
    readonly output?: JsonValue;
    readonly error?: string;
    readonly code?: string;
    readonly durationMs?: number;
    /** Where the end repeats what the beginning said. */
    readonly input?: JsonValue;
  };
  "request.asked": {
    readonly request: "confirmation" | "clarification" | "permission" | "handoff";
    /** What an answer refers to. Where there is none, answers refer to `eventId`, or to nothing. */
    readonly token?: string;
    readonly prompt: string;
    readonly consequence?: string;
    readonly background?: string;
    /** What a person reads; and what an answer says, in the same order, where that is something else. */
    readonly choices?: readonly string[];
    readonly choiceValues?: readonly string[];
    /** Kinds of answers: `freetext`, `yes_no`, `multiple_choice`, `numeric`. */
    readonly accepts?: readonly string[];
    readonly risk?: Risk;
    readonly reversible?: boolean;
    /** The call it is about. */
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
    /** What is to be done instead of what was asked for. */
    readonly change?: JsonValue;
  };
  /** Asks for somebody else to take over; nothing says whether anybody does. */
  handoff: {
    /** Where to, as an address; else the kind of target. */
    readonly to?: string;
    readonly targetKind?: string;
    readonly reason?: string;
    /** How urgent for the business, which is not how loudly to announce it. */
    readonly priority?: string;
    /** What whoever takes over is given. */
    readonly briefing?: JsonObject;
  };
  /** `child` is a session, or whatever the parent calls it; the same as `session` where the child itself says it. */
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
    /** Empty where nobody named it. */
    readonly target: string;
    readonly status?: number;
    readonly durationMs?: number;
    readonly error?: string;
  };
  "context.compacted": { readonly trigger?: string; readonly summary?: string };
  "workspace.changed": { readonly path?: string; readonly change?: string };
  /** `text` where it was told in words; the items as far as they were told apart. */
  plan: { readonly items: readonly { readonly text: string; readonly status?: string }[]; readonly text?: string };
  /** `topic`: what the producer calls this kind of notification. */
  notification: Words & { readonly level?: string; readonly topic?: string };
  error: Failure & { readonly message: string; readonly callId?: string; readonly tool?: string };
  heartbeat: { readonly status?: string; readonly step?: number; readonly goal?: string };
  /** `data`: what it carries, as it is. */
  custom: { readonly summary?: string; readonly data?: JsonObject };
}

export type ActivityKind = keyof ActivityDetails;
