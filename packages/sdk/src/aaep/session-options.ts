import type { AaepResponseKind, Decision, Risk, SilenceReason } from "@earshot/aaep/speaking";
import type { JsonObject } from "@earshot/protocol";
import type { Summary } from "./clean-text.ts";
import type { Cover, Permit } from "./permit.ts";
import type { ChunkBoundary } from "./text-chunks.ts";

export interface AaepSessionOptions {
  /** The next action of the session, in words. */
  readonly summary: Summary;
  /** The request in the person's own words. */
  readonly requestText?: string | undefined;
  /** `user:ana`, `system:cron`, `agent:planner`. */
  readonly requestedBy?: string | undefined;
  /** Names of the tools that may be used. */
  readonly tools?: readonly string[] | undefined;
  readonly expectedDurationMs?: number | undefined;
  /** Id of a trace this session belongs to. */
  readonly correlationId?: string | undefined;
  /** Language of all texts as a BCP 47 tag. Default: the agent's. */
  readonly language?: string | undefined;
  /** Aborting cancels the session. */
  readonly signal?: AbortSignal | undefined;
}

export interface StateOptions {
  readonly summary?: Summary | undefined;
  readonly expectedDurationMs?: number | undefined;
}

/** Passed to a tool. */
export interface ToolContext {
  readonly callId: string;
  /** Aborted when the session is cancelled; stop the work then. */
  readonly signal: AbortSignal;
}

interface AnyTool<Result> {
  /** Summarized without possible secrets. */
  readonly args?: unknown;
  /** Replaces the summary of `args`. */
  readonly argsSummary?: string | undefined;
  /** The purpose of the tool. */
  readonly description?: string | undefined;
  /** The action of this call, in words. */
  readonly summary?: Summary | undefined;
  readonly expectedDurationMs?: number | undefined;
  /** Summarizes the result. */
  readonly resultSummary?: ((result: Result) => Summary | undefined) | undefined;
}

/** Irreversible and high-risk tools need a permit, which `confirm` returns on acceptance. */
export type AaepToolOptions<Result = unknown> = AnyTool<Result> &
  (
    | { readonly irreversible?: false | undefined; readonly risk?: "low" | "medium" | undefined; readonly permit?: Permit | undefined }
    | { readonly irreversible?: false | undefined; readonly risk: "high"; readonly permit: Permit<"high" | "irreversible"> }
    | { readonly irreversible: true; readonly risk?: Risk | undefined; readonly permit: Permit<"irreversible"> }
  );

interface AnyConfirmation {
  /** The proposed action, understandable without looking at a screen. */
  readonly action: string;
  /** The result of the action. */
  readonly consequence: string;
  /** The tool that will perform it. The permit is then valid only for this tool. */
  readonly tool?: string | undefined;
  /** The arguments of the call. The permit is then valid only for these. */
  readonly args?: unknown;
  readonly summary?: Summary | undefined;
  readonly timeoutSeconds?: number | undefined;
  /** Additional information for the person. Never secrets. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  /** Whether the person may modify the action, returned in `changes`; otherwise a modified action counts as a rejection. */
  readonly takesChanges?: boolean | undefined;
}

/** Without an answer nothing happens, unless the action is harmless and a default is given here. */
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

/** The coverage of a permit that these options produce. */
export type CoverOf<Options> = Options extends { readonly irreversible: true }
  ? "irreversible"
  : Options extends { readonly risk: "high" }
    ? "high"
    : "ordinary";

export type Confirmed<Covers extends Cover = Cover> =
  | {
      readonly accepted: true;
      readonly permit: Permit<Covers>;
      /** The person who answered; undefined for an accepted default. */
      readonly by?: string;
      readonly rationale?: string;
      /** The person's changes to the action. */
      readonly changes?: JsonObject;
    }
  | {
      readonly accepted: false;
      /** `withdrawn`: the session ended before an answer. */
      readonly why: "rejected" | SilenceReason | "withdrawn";
      readonly by?: string;
      readonly rationale?: string;
    };

/** The answer type of each kind of question. */
export interface Responses<Choice extends string = string> {
  readonly freetext: string;
  readonly yes_no: boolean;
  readonly numeric: number;
  readonly multiple_choice: Choice;
}

interface AnyClarification<Response> {
  readonly question: string;
  /** Why the question is asked. */
  readonly context?: string | undefined;
  readonly summary?: Summary | undefined;
  readonly timeoutSeconds?: number | undefined;
  /** The answer used when nobody answers. */
  readonly defaultResponse?: Response | undefined;
}

export interface ChoiceOption<Value extends string = string> {
  readonly value: Value;
  /** The shown and spoken text. Default: the value. */
  readonly label?: string | undefined;
}

/** The answer is a text unless `kinds` names other kinds. */
export interface ClarifyOptions<Kind extends OpenKind = OpenKind> extends AnyClarification<NoInfer<Responses[Kind]>> {
  readonly kinds?: readonly Kind[] | undefined;
  readonly choices?: undefined;
}

/** The answer is one of the choices, or of another kind named in `kinds`. */
export interface ChooseOptions<Choice extends string = string, Kind extends AaepResponseKind = AaepResponseKind>
  extends AnyClarification<NoInfer<Responses<Choice>[Kind | "multiple_choice"]>> {
  readonly choices: readonly (Choice | ChoiceOption<Choice>)[];
  readonly kinds?: readonly Kind[] | undefined;
}

export type OpenKind = Exclude<AaepResponseKind, "multiple_choice">;

export type Clarified<Response> =
  | { readonly answered: true; readonly response: Response; readonly by?: string; readonly confidence?: number }
  | { readonly answered: false; readonly why: SilenceReason | "withdrawn"; readonly response?: Response };

export interface HandoffOptions {
  readonly reason: string;
  readonly target: "human" | "specialist_agent" | "escalation_queue";
  readonly targetUri?: string | undefined;
  /** Information for the new owner. Never secrets. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  readonly urgency?: Risk | undefined;
  readonly summary?: Summary | undefined;
  /** How long to wait for someone to take over, if anyone can. */
  readonly timeoutSeconds?: number | undefined;
}

/** `unknown`: nobody answered, or could. */
export type HandoffOutcome = "taken" | "declined" | "unknown";

export interface OutputOptions {
  /** Where the text may be split into events. Default: sentences. */
  readonly boundary?: ChunkBoundary | undefined;
  /** Language of this text. Default: the session's. */
  readonly language?: string | undefined;
  /** Default: `text/plain`. */
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
  /** The result, in words. */
  readonly summary?: Summary | undefined;
  /** The output in short. */
  readonly outputSummary?: string | undefined;
  readonly resultUri?: string | undefined;
}

export interface FailOptions {
  readonly summary?: Summary | undefined;
  readonly category?: "transient" | "permanent" | "requires_user" | "unknown" | undefined;
  /** `TOOL_TIMEOUT` */
  readonly code?: string | undefined;
  readonly recoverable?: boolean | undefined;
  /** Advice to the person. */
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
