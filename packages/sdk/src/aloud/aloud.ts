import type { JsonObject, JsonValue } from "@earshot/protocol/json";
import type { Segment } from "../announce/announcement.ts";

/**
 * Approving by ear. Four functions, each in a file of its own, each pure and bounded, in every language that `matchLanguage`
 * finds (English otherwise):
 *
 *     effectAloud(request, { language })   what a request will do, and the answers by number     effect-aloud.ts
 *     exactAloud(text, language)           the exact text, with signs, spaces and capitals       exact-aloud.ts
 *     speltAloud(text, language)           the same, letter by letter                            spelt-aloud.ts
 *     chunked(spoken, language)            a long spoken text in parts: "Part 2 of 5. …"         chunked.ts
 */

/** A request as the hub shows it: as much of its `RequestView` as is heard. */
export interface AskedAloud {
  /** How long there is still; null without a deadline. */
  readonly leftMs?: number | null;
  readonly card: {
    readonly asked: {
      readonly kind: "confirmation" | "clarification" | "permission" | "handoff";
      readonly agent: string;
      readonly title: string;
      readonly input?: JsonValue;
      readonly said: readonly { readonly name: string; readonly text: string }[];
      readonly choices?: readonly ChoiceAloud[];
      readonly fields?: readonly {
        readonly name: string;
        readonly text: string;
        readonly kind: string;
        readonly choices?: readonly ChoiceAloud[];
      }[];
      readonly risk: "low" | "medium" | "high" | "unknown";
      readonly irreversible: boolean;
      readonly facts: JsonObject;
    };
    readonly terms: { readonly answers: readonly string[] };
  };
  /** What a closer look at the input found, where somebody took one. */
  readonly inspection?: InspectionAloud;
}

export interface ChoiceAloud {
  readonly value: string;
  readonly label: string;
}

/** Sentences in English, as the policy writes them. */
export interface InspectionAloud {
  readonly commands: readonly { readonly text: string; readonly effect: string; readonly dangers: readonly string[] }[];
  readonly dangers: readonly string[];
  /** What a screen would hide in it. */
  readonly hidden: readonly string[];
  readonly uninspectable?: string;
  readonly irreversible: boolean;
  readonly risk: "low" | "medium" | "high" | "unknown";
}

export interface EffectOptions {
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
export interface EffectAloud {
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
