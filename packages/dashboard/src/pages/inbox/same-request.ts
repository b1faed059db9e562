import type { Inspection, RequestView } from "@earshot/hub";
import { assessRequest } from "@earshot/narrate";

/**
 * What several requests have in common that may be decided by one click: the same agent wants the same, in the same place, and
 * says the same about it. Undefined where a request stands alone: what is risky, what nothing is known about, what asks for words,
 * and what holds something masked, since two secrets look the same.
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

/** Nobody has said how risky it is; but it was taken apart whole, and nothing was found. */
function isKnownHarmless({ commands, files, dangers }: Inspection): boolean {
  return dangers.length === 0 && (commands.length > 0 || files.length > 0);
}
