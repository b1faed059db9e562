import type { JsonObject, JsonValue } from "@earshot/protocol/json";
import type { Segment } from "../sentences/words.ts";

/** A request as the hub shows it: as much of its `RequestView` as is put into words. */
export interface NarratedRequest {
  /** How long there is still; null without a deadline. */
  readonly leftMs?: number | null;
  readonly extensionsLeft?: number;
  readonly card: RequestCard;
  /** What the hub found in the input. */
  readonly inspection?: NarratedInspection;
}

export interface RequestCard {
  readonly asked: AskedRequest;
  readonly terms: {
    readonly answers: readonly string[];
    readonly silence: { readonly answer: GivenAnswer; readonly by: string };
    readonly besideDialog: boolean;
  };
}

export interface AskedRequest {
  readonly kind: "confirmation" | "clarification" | "permission" | "handoff";
  readonly protocol: string;
  readonly session: string;
  readonly agent: string;
  readonly title: string;
  readonly input?: JsonValue;
  readonly said: readonly { readonly name: string; readonly text: string }[];
  readonly choices?: readonly RequestChoice[];
  readonly fields?: readonly {
    readonly name: string;
    readonly text: string;
    readonly kind: string;
    readonly choices?: readonly RequestChoice[];
  }[];
  readonly risk: Risk;
  readonly irreversible: boolean;
  readonly facts: JsonObject;
}

export type Risk = "low" | "medium" | "high" | "unknown";

export interface RequestChoice {
  readonly value: string;
  readonly label: string;
}

export interface GivenAnswer {
  readonly word: AnswerWord;
  readonly response?: string | number | boolean | JsonObject;
  readonly message?: string;
  readonly edit?: unknown;
  readonly rewrites?: true;
}

export type AnswerWord =
  | "allow"
  | "deny"
  | "ask"
  | "defer"
  | "block"
  | "continue"
  | "stop"
  | "abstain"
  | "accept"
  | "reject"
  | "respond"
  | "take-over"
  | "decline";

export interface NarratedInspection {
  readonly commands: readonly {
    readonly text: string;
    readonly via: readonly string[];
    /** In English, as the policy writes it. */
    readonly effect: string;
    /** Ids. */
    readonly dangers: readonly string[];
  }[];
  readonly files: readonly { readonly what: string }[];
  readonly dangers: readonly NarratedDanger[];
  /** What a screen would hide in it. */
  readonly hidden: readonly string[];
  readonly uninspectable?: string;
  readonly irreversible: boolean;
  readonly risk: Risk;
}

export interface NarratedDanger {
  /** Of the policy's catalogue. */
  readonly id: string;
  /** In English, as the policy writes it. */
  readonly sentence: string;
}

/** How a request ended. */
export interface NarratedDecision {
  readonly state: "answered-by-person" | "answered-by-policy" | "defaulted" | "withdrawn" | "orphaned";
  /** The name of an approver's device, `policy: RULE`, or `hub`. */
  readonly by: string;
  readonly at: string;
  readonly answer: GivenAnswer;
  /** Whether it waited for a person at all. */
  readonly held: boolean;
  readonly reason: string | null;
}

export interface SpeakRequestOptions {
  /** BCP 47. */
  readonly language: string;
  /** `Codex in shop`; left out where it was just named. */
  readonly from?: string;
  /** Whether a yes may also count for the rest of the session: it gets a number of its own. */
  readonly rememberable?: boolean;
  /** Whether the answers are read with it; true. */
  readonly withAnswers?: boolean;
}

/** What a request will do, to be heard. Made from the real input; what the agent says about it is told as such. */
export interface SpokenRequest {
  /** What happens, what does harm, risk, way back, time left, answers. */
  readonly segments: readonly Segment[];
  /** The segments in one line. */
  readonly text: string;
  /** The answers in the order of their numbers: 1 is the first. At most nine, one key each. */
  readonly answers: readonly NumberedAnswer[];
  /** `1 allow, 2 deny, 3 allow for this session.` */
  readonly answersText: string;
  /** The exact text that is asked about, for `exactAloud` and `speltAloud`: the command, the path, the address; empty where there is none. */
  readonly exact: string;
  /** Whether a yes is to be asked for twice. */
  readonly risky: boolean;
}

export interface NumberedAnswer {
  readonly number: number;
  /** In the language that was asked for. */
  readonly label: string;
  /** The hub's word for it: `allow`, `deny`, `respond` … */
  readonly word: string;
  /** With `respond`: what is sent, or what is sent for the field of this name. */
  readonly value?: string;
  readonly field?: string;
  /** Also counts for the rest of the session. */
  readonly remember?: "session";
}

export interface SpellingOptions {
  /** `words`: by a spelling alphabet ("Romeo, Mike"; German by DIN 5009); `letters`: by the letters alone. */
  readonly alphabet?: "words" | "letters";
}
