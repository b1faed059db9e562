import type { JsonObject, JsonValue } from "@earshot/protocol/json";
import type { Segment } from "../sentences/words.ts";

/** A request from the hub, limited to the members used here. */
export interface NarratedRequest {
  /** Remaining time; null without a deadline. */
  readonly leftMs?: number | null;
  readonly extensionsLeft?: number;
  readonly card: NarratedCard;
  /** The hub's findings about the input. */
  readonly inspection?: NarratedInspection;
}

export interface NarratedCard {
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
  readonly risk: NarratedRisk;
  readonly irreversible: boolean;
  readonly facts: JsonObject;
}

export type NarratedRisk = "low" | "medium" | "high" | "unknown";

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
  /** Characters that a screen would hide. */
  readonly hidden: readonly string[];
  readonly uninspectable?: string;
  readonly irreversible: boolean;
  readonly risk: NarratedRisk;
}

export interface NarratedDanger {
  /** Id in the policy's catalogue. */
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
  /** Whether a person was asked at all. */
  readonly held: boolean;
  readonly reason: string | null;
}

export interface SpeakRequestOptions {
  /** BCP 47. */
  readonly language: string;
  /** `Codex in shop`; left out if just named. */
  readonly from?: string;
  /** Whether an allow may also be remembered for the session, as a numbered answer. */
  readonly rememberable?: boolean;
  /** Whether to read the answers. Default: true. */
  readonly withAnswers?: boolean;
}

/** A spoken request, based on the real input; the agent's own words are marked as such. */
export interface SpokenRequest {
  /** Action, harm, risk, reversibility, remaining time, answers. */
  readonly segments: readonly Segment[];
  /** The segments in one line. */
  readonly text: string;
  /** The answers by number, starting with 1. At most nine, one key each. */
  readonly answers: readonly NumberedAnswer[];
  /** `1 allow, 2 deny, 3 allow for this session.` */
  readonly answersText: string;
  /** The exact text for `spellExactly` and `spellLetters`: command, path or address; empty if there is none. */
  readonly exact: string;
  /** Whether a yes must be confirmed. */
  readonly risky: boolean;
}

export interface NumberedAnswer {
  readonly number: number;
  /** In the requested language. */
  readonly label: string;
  /** The hub's word for it: `allow`, `deny`, `respond` … */
  readonly word: string;
  /** With `respond`: the value, or the value of the field with this name. */
  readonly value?: string;
  readonly field?: string;
  /** Also applies to the rest of the session. */
  readonly remember?: "session";
}

export interface SpellingOptions {
  /** `words`: by a spelling alphabet ("Romeo, Mike"; German by DIN 5009); `letters`: by the letters alone. */
  readonly alphabet?: "words" | "letters";
}
