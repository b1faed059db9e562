import type { Decision, Risk } from "./question.ts";

/**
 * What may count when nobody answers (§6.4.1). Where the table leaves it open, an irreversible action and one of high risk are
 * never started by silence.
 */
export const DEFAULTS: Readonly<Record<"irreversible" | "reversible", Readonly<Record<Risk, readonly Decision[]>>>> = {
  irreversible: { high: ["reject"], medium: ["reject"], low: ["reject"] },
  reversible: { high: ["reject"], medium: ["reject", "accept"], low: ["reject", "accept"] },
};

/** A risk that nobody stated is high where there is no way back, and low elsewhere. */
export function riskOf(risk: Risk | undefined, irreversible: boolean): Risk {
  return risk ?? (irreversible ? "high" : "low");
}

export function mayDefaultTo(decision: Decision, { irreversible, risk }: { readonly irreversible: boolean; readonly risk: Risk }): boolean {
  return DEFAULTS[irreversible ? "irreversible" : "reversible"][risk].includes(decision);
}
