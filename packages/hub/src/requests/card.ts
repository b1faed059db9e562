import type { JsonObject, JsonValue, ProtocolName } from "@earshot/protocol";
import type { RequestKind } from "../request.ts";
import type { Answer, Word } from "./answer.ts";
import type { MaskedPlace } from "./edit.ts";

/**
 * What a person is shown, as it is stored with the request: `Request.card` is this as JSON text. `asked` is what the digest
 * binds a decision to; `terms` is what happens around it. Secrets are masked in all of it.
 */
export interface Card {
  readonly version: 1;
  readonly asked: Asked;
  readonly terms: CardTerms;
}

/** The question itself. Holds no id and no time, so that the same question asked again has the same digest. */
export interface Asked {
  readonly kind: RequestKind;
  readonly protocol: ProtocolName;
  readonly source: string;
  readonly session: string;
  readonly agent: string;
  /** What would happen: the name of the tool, the type of the hook, the kind of question. Made from the input. */
  readonly title: string;
  /** The real input, secrets masked. */
  readonly input?: JsonValue;
  /** The input was too large to be stored whole. It cannot be allowed, because not all of it is shown. */
  readonly isCut?: true;
  /** Where in it something was masked: these places cannot be edited. */
  readonly masked?: readonly MaskedPlace[];
  /** The agent's own words, to be shown as such: what it says it wants, why, and what it says will come of it. */
  readonly said: readonly { readonly name: string; readonly text: string }[];
  readonly choices?: readonly Choice[];
  /** For questions: which kinds of `response` are taken; free text when it is left out. */
  readonly responds?: readonly ResponseKind[];
  /** For questions that agents put as a form: what is asked for, in order. Then `response` is an object, by their names. */
  readonly fields?: readonly Field[];
  readonly risk: "low" | "medium" | "high" | "unknown";
  readonly irreversible: boolean;
  /** What else is known, each as it was said: tool, server, workspace, model, urgency, target … Text, never opened or fetched. */
  readonly facts: JsonObject;
}

export interface Choice {
  /** What is sent. */
  readonly value: string;
  readonly label: string;
  readonly about?: string;
}

export interface Field {
  /** Its member of `response`. */
  readonly name: string;
  /** What is asked, in the agent's words. */
  readonly text: string;
  readonly kind: "choice" | "choices" | "text" | "number" | "confirm";
  readonly choices?: readonly Choice[];
  /** Whether any other text than the choices is taken. */
  readonly isOpen: boolean;
  readonly isRequired: boolean;
}

export const RESPONSE_KINDS = ["freetext", "yes_no", "multiple_choice", "numeric"] as const;
export type ResponseKind = (typeof RESPONSE_KINDS)[number];

export interface CardTerms {
  /** What may be answered. */
  readonly answers: readonly Word[];
  /** What the asker hears when nobody answers, and whose wish that is: `asker`, `hub`, or a rule of the policy. */
  readonly silence: { readonly answer: Answer; readonly by: string };
  /** How much longer each *More time* makes it; 0 where the asker would not wait. */
  readonly moreTimeMs: number;
  /** Wall clock beyond which the asker waits for nobody; null when it would wait for ever. */
  readonly latestAt: number | null;
  /** Whether the asker shows that it is still there by polling. Who does not is believed to wait until it says otherwise. */
  readonly polls: boolean;
  /** Whether the agent shows a dialog of its own meanwhile: whichever is answered first counts. */
  readonly besideDialog: boolean;
  /** Whether the agent tells of each question that it shows by itself. */
  readonly reportsDialog?: true;
  /** The action it is about, as the agent names it: joins request and outcome. */
  readonly action: string | null;
  /** Why it is asked: the rule that wants it, or `the agent asks`. */
  readonly because: string;
}

/** Whether silence may never stand for a yes. Risk that nobody stated is no high risk, unless it cannot be undone. */
export function isRisky({ risk, irreversible }: Pick<Asked, "risk" | "irreversible">): boolean {
  return irreversible || risk === "high";
}
