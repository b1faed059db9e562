import type { Inspection, RequestView } from "@earshot/hub";
import { assessRequest } from "@earshot/narrate";

/**
 * Returns the properties that requests must share to be decided by one click: the same agent, action, location and description. Undefined
 * for a request that stays separate: a risky one, one that nothing is known about, one that asks for text, and one with a masked value,
 * since two secrets look the same.
 */
export function kindOfRequest(view: RequestView): string | undefined {
  const { card, waits, inspection } = view;
  const { asked, terms } = card;
  if (!waits || (asked.kind !== "permission" && asked.kind !== "confirmation")) return undefined;
  if (assessRequest(view).risky !== undefined || (asked.masked ?? []).length > 0) return undefined;
  if (inspection.risk === "unknown" && !isKnownHarmless(inspection)) return undefined;
  const { kind, agent, title, input, said, risk, facts } = asked;
  return JSON.stringify([kind, agent, title, input, said, risk, facts, terms.answers, terms.silence, terms.because]);
}

/** The risk is not declared, but the command was parsed completely and nothing was found. */
function isKnownHarmless({ commands, files, dangers }: Inspection): boolean {
  return dangers.length === 0 && (commands.length > 0 || files.length > 0);
}

const RISKS: readonly Inspection["risk"][] = ["high", "unknown", "medium", "low"];

/** Riskiest first; within one risk, in the order in which they were made. */
export function byRisk(one: RequestView, other: RequestView): number {
  return RISKS.indexOf(one.inspection.risk) - RISKS.indexOf(other.inspection.risk);
}
