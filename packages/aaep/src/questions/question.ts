import type { JsonObject } from "@earshot/protocol";

export type Risk = "low" | "medium" | "high";
export type Decision = "accept" | "reject";
export type ResponseKind = "freetext" | "yes_no" | "multiple_choice" | "numeric";

interface Asked {
  /** `rpl_` and at least 128 random bits in letters and digits. Used once, and never again. */
  readonly token: string;
  readonly session: string;
  /** When its event says that it was asked, by wall time: what replies are dated against. */
  readonly askedMs: number;
  /** How long an answer is waited for, by the monotonic clock. */
  readonly timeoutMs: number;
}

export interface Confirmation extends Asked {
  readonly kind: "confirmation";
  readonly irreversible: boolean;
  readonly risk: Risk;
  readonly defaultDecision: Decision;
  /** Whether an accept may come with another action than the one asked about. Where not, such a reply is a rejection. */
  readonly takesChanges: boolean;
}

export interface Clarification extends Asked {
  readonly kind: "clarification";
  readonly kinds: readonly ResponseKind[];
  /** With `multiple_choice`: the values, one of which is the response. */
  readonly choices: readonly string[];
  /** What counts when nobody answers; undefined where nothing does. */
  readonly defaultResponse?: string | boolean | number;
}

export type Question = Confirmation | Clarification;

/** `time`: nobody answered in time. `nobody`: there is, or is left, nobody who could. */
export type Silence = "time" | "nobody";

/** How a question ended. It does so once. */
export type Ending =
  | { readonly how: "accepted"; readonly by?: string; readonly rationale?: string; readonly changes?: JsonObject }
  | { readonly how: "rejected"; readonly by?: string; readonly rationale?: string }
  | { readonly how: "answered"; readonly response: string | boolean | number; readonly by?: string; readonly confidence?: number }
  | { readonly how: "defaulted"; readonly why: Silence; readonly decision: Decision }
  | { readonly how: "unanswered"; readonly why: Silence; readonly response?: string | boolean | number }
  | { readonly how: "withdrawn" };
