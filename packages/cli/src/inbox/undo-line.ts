import type { Asked } from "@earshot/hub";
import type { Inspection } from "@earshot/hub/inspection";
import { questionsIn } from "@earshot/hub/questions";
import { visibleBeginning } from "./visible-text.ts";

/** Moments at which something would happen that may have to be undone. */
const ACTING = new Set(["action", "permission", "subagent-start"]);
const BY_WORD: Readonly<Record<string, string>> = {
  reversible: "Can be undone, the agent says.",
  reversible_with_effort: "Can be undone with effort, the agent says.",
};

/** Whether there is a way back, and what is known to come of it. Undefined where nothing happens that could be undone. */
export function undoLine(asked: Asked, inspection: Inspection): string | undefined {
  const { kind, facts } = asked;
  const { dangers, hidden, risk } = inspection;
  if (kind === "handoff" || questionsIn(asked).length > 0) return undefined;
  if (kind === "permission" && !ACTING.has(String(facts["moment"] ?? "action"))) return undefined;
  return [
    wayBack(facts["reversibility"], inspection),
    ...dangers.map((sentence) => visibleBeginning(sentence, 200)),
    ...(hidden.length === 0 ? [] : [`Hidden in it: ${hidden.map((sentence) => visibleBeginning(sentence, 200)).join(" ")}`]),
    ...(risk === "unknown" ? [] : [`Risk: ${risk}.`]),
  ].join(" ");
}

function wayBack(said: unknown, { uninspectable, irreversible, dangers }: Inspection): string {
  if (uninspectable !== undefined) {
    const why = visibleBeginning(uninspectable, 200);
    const known = irreversible && dangers.length > 0 ? " Cannot be undone." : " It is treated as if it could not be undone.";
    return `Cannot be inspected. ${why}${known}`;
  }
  if (irreversible) return "Cannot be undone.";
  return (typeof said === "string" && Object.hasOwn(BY_WORD, said) ? BY_WORD[said] : undefined) ?? "Whether it can be undone is not known.";
}
