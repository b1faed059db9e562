import type { Decision, ResponseKind, Risk, Silence } from "@earshot/aaep/speaking";
import type { JsonObject } from "@earshot/protocol";
import type { Cover, Permit } from "./permit.ts";
import type { ChunkBoundary } from "./text-chunks.ts";
import type { Summary } from "./words.ts";

export interface AaepSessionOptions {
  /** What is going to be done. */
  readonly summary: Summary;
  /** The request in the person's own words. */
  readonly requestText?: string | undefined;
  /** `user:ana`, `system:cron`, `agent:planner`. */
  readonly requestedBy?: string | undefined;
  /** Names of the tools that may be used. */
  readonly tools?: readonly string[] | undefined;
  readonly expectedDurationMs?: number | undefined;
  /** The id of a trace that this belongs to. */
  readonly correlationId?: string | undefined;
  /** Of everything that is said: a BCP 47 tag. That of the agent where it is left out. */
  readonly language?: string | undefined;
  /** Calls the session off when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

export interface StateOptions {
  readonly summary?: Summary | undefined;
  readonly expectedDurationMs?: number | undefined;
}

/** What a tool is handed. */
export interface ToolContext {
  readonly callId: string;
  /** Aborted when the session is called off: give up what is under way. */
  readonly signal: AbortSignal;
}

interface AnyTool<Result> {
  /** Told in short, without what may be a secret. */
  readonly args?: unknown;
  /** In place of what is made from `args`. */
  readonly argsSummary?: string | undefined;
  /** What the tool is for. */
  readonly description?: string | undefined;
  /** What the call is about to do. */
  readonly summary?: Summary | undefined;
  readonly expectedDurationMs?: number | undefined;
  /** What is told of the result. */
  readonly resultSummary?: ((result: Result) => Summary | undefined) | undefined;
}

/** What cannot be undone, and what is of high risk, needs a permit: `confirm` gives it when a person accepts. */
export type AaepToolOptions<Result = unknown> = AnyTool<Result> &
  (
    | { readonly irreversible?: false | undefined; readonly risk?: "low" | "medium" | undefined; readonly permit?: Permit | undefined }
    | { readonly irreversible?: false | undefined; readonly risk: "high"; readonly permit: Permit<"high" | "irreversible"> }
    | { readonly irreversible: true; readonly risk?: Risk | undefined; readonly permit: Permit<"irreversible"> }
  );

interface AnyConfirmation {
  /** What would be done, so that it can be understood without looking at a screen. */
  readonly action: string;
  /** What comes of it. */
  readonly consequence: string;
  /** The tool that will do it. The permit is then good for no other one. */
  readonly tool?: string | undefined;
  /** The arguments it will be called with. The permit is then good for no others. */
  readonly args?: unknown;
  readonly summary?: Summary | undefined;
  readonly timeoutSeconds?: number | undefined;
  /** More for whoever decides. Never secrets. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  /** Whether the person may change the action. `changes` then says how; otherwise a changed action is a refusal. */
  readonly takesChanges?: boolean | undefined;
}

/** What happens when nobody answers: nothing, unless it is harmless and said here. */
export type ConfirmOptions = AnyConfirmation &
  (
    | {
        readonly irreversible?: false | undefined;
        readonly risk?: "low" | "medium" | undefined;
        readonly withEffort?: boolean | undefined;
        readonly defaultDecision?: Decision | undefined;
      }
    | {
        readonly irreversible?: false | undefined;
        readonly risk: "high";
        readonly withEffort?: boolean | undefined;
        readonly defaultDecision?: "reject" | undefined;
      }
    | { readonly irreversible: true; readonly risk?: Risk | undefined; readonly defaultDecision?: "reject" | undefined }
  );

/** What a permit that comes of these options is good for. */
export type CoverOf<Options> = Options extends { readonly irreversible: true }
  ? "irreversible"
  : Options extends { readonly risk: "high" }
    ? "high"
    : "ordinary";

export type Confirmed<Covers extends Cover = Cover> =
  | {
      readonly accepted: true;
      readonly permit: Permit<Covers>;
      /** Who said so; undefined where nobody said anything, and that was enough. */
      readonly by?: string;
      readonly rationale?: string;
      /** How the person changed the action. */
      readonly changes?: JsonObject;
    }
  | {
      readonly accepted: false;
      /** `withdrawn`: the session ended before anybody answered. */
      readonly why: "rejected" | Silence | "withdrawn";
      readonly by?: string;
      readonly rationale?: string;
    };

/** What each kind of question is answered with. */
export interface Responses<Choice extends string = string> {
  readonly freetext: string;
  readonly yes_no: boolean;
  readonly numeric: number;
  readonly multiple_choice: Choice;
}

interface AnyClarification<Response> {
  readonly question: string;
  /** Why it is asked. */
  readonly context?: string | undefined;
  readonly summary?: Summary | undefined;
  readonly timeoutSeconds?: number | undefined;
  /** What counts when nobody answers. */
  readonly defaultResponse?: Response | undefined;
}

export interface ChoiceOption<Value extends string = string> {
  readonly value: Value;
  /** As it is shown and spoken; the value itself where it is left out. */
  readonly label?: string | undefined;
}

/** A text is the answer, unless `kinds` names others. */
export interface ClarifyOptions<Kind extends OpenKind = OpenKind> extends AnyClarification<NoInfer<Responses[Kind]>> {
  readonly kinds?: readonly Kind[] | undefined;
  readonly choices?: undefined;
}

/** One of the choices is the answer, or one of the other kinds that `kinds` names. */
export interface ChooseOptions<Choice extends string = string, Kind extends ResponseKind = ResponseKind>
  extends AnyClarification<NoInfer<Responses<Choice>[Kind | "multiple_choice"]>> {
  readonly choices: readonly (Choice | ChoiceOption<Choice>)[];
  readonly kinds?: readonly Kind[] | undefined;
}

export type OpenKind = Exclude<ResponseKind, "multiple_choice">;

export type Clarified<Response> =
  | { readonly answered: true; readonly response: Response; readonly by?: string; readonly confidence?: number }
  | { readonly answered: false; readonly why: Silence | "withdrawn"; readonly response?: Response };

export interface HandoffOptions {
  readonly reason: string;
  readonly target: "human" | "specialist_agent" | "escalation_queue";
  readonly targetUri?: string | undefined;
  /** What whoever takes over needs to know. Never secrets. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  readonly urgency?: Risk | undefined;
  readonly summary?: Summary | undefined;
  /** How long to wait for somebody to take over, where somebody could say so. */
  readonly timeoutSeconds?: number | undefined;
}

/** `unknown`: nobody said anything, or could. */
export type HandoffOutcome = "taken" | "declined" | "unknown";

export interface OutputOptions {
  /** Where the text may be cut into events. Sentences where it is left out. */
  readonly boundary?: ChunkBoundary | undefined;
  /** Of this text, where it differs from that of the session. */
  readonly language?: string | undefined;
  /** `text/plain` where it is left out. */
  readonly contentType?: string | undefined;
}

export interface ProgressOptions {
  readonly percent?: number | undefined;
  readonly step?: number | undefined;
  readonly totalSteps?: number | undefined;
  readonly description?: string | undefined;
  readonly etaMs?: number | undefined;
  readonly summary?: Summary | undefined;
}

export interface CompleteOptions {
  /** What was done. */
  readonly summary?: Summary | undefined;
  /** What came out of it. */
  readonly outputSummary?: string | undefined;
  readonly resultUri?: string | undefined;
}

export interface FailOptions {
  readonly summary?: Summary | undefined;
  readonly category?: "transient" | "permanent" | "requires_user" | "unknown" | undefined;
  /** `TOOL_TIMEOUT` */
  readonly code?: string | undefined;
  readonly recoverable?: boolean | undefined;
  /** What the person can do about it. */
  readonly remedy?: string | undefined;
  readonly uri?: string | undefined;
}

export interface CancelOptions {
  readonly by?: "user" | "producer" | "timeout" | "system" | undefined;
  /** `user_pressed_escape` */
  readonly reason?: string | undefined;
  readonly summary?: Summary | undefined;
  readonly partialResult?: string | undefined;
}
