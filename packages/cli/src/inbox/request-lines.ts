import type { RequestView } from "@earshot/hub";
import type { Inspection } from "@earshot/hub/inspection";
import { questionsIn } from "@earshot/hub/questions";
import { aftermathLine, decisionLine } from "./decision-line.ts";
import { inspectRequest } from "./inspect-request.ts";
import { silenceLine } from "./silence-line.ts";
import { undoLine } from "./undo-line.ts";
import { visibleBeginning } from "./visible-text.ts";
import { whatItWants } from "./what-it-wants.ts";

export interface RenderOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly timeZone?: string;
  readonly inspection?: Inspection;
}

/**
 * A request as it is heard: who wants what; whether there is a way back; what silence brings, and when; how it is named. Each
 * sentence stands alone, so that it can be listened to line by line.
 */
export function requestLines(view: RequestView, { now, timeZone, inspection }: RenderOptions): readonly string[] {
  const { asked } = view.card;
  const found = inspection ?? inspectRequest(asked);
  return [
    whatItWants(asked, found),
    ...present(undoLine(asked, found)),
    ...choiceLines(view),
    ...(view.decision === null
      ? [view.waits ? silenceLine(view, now, timeZone) : nobodyWaits(view)]
      : [decisionLine(view.decision, now, timeZone), ...present(aftermathLine(view, now, timeZone))]),
    `Id ${shortId(view.id)}.`,
  ];
}

/** What may be chosen, by number or by its own words. */
function choiceLines({ card, decision }: RequestView): readonly string[] {
  if (decision !== null) return [];
  return questionsIn(card.asked).flatMap(({ text, choices, isOptional }, index, all) => {
    const which =
      all.length === 1 ? "" : `Question ${index + 1}${isOptional ? ", which may be left out" : ""}: “${visibleBeginning(text, 200)}”`;
    const listed = choices.map(
      ({ label, about }, at) =>
        `${at + 1} ${visibleBeginning(label, 80)}${about === undefined ? "" : ` (${visibleBeginning(about, 200)})`}`,
    );
    const line = [which, listed.length === 0 ? "" : `Choices: ${listed.join(", ")}.`].filter((part) => part !== "").join(" ");
    return line === "" ? [] : [line];
  });
}

export function nobodyWaits({ closedBecause }: Pick<RequestView, "closedBecause">): string {
  return `${visibleBeginning(closedBecause ?? "Nobody waits for the answer.", 200)} It cannot be answered now.`;
}

/** As much of an id as is said aloud. Any unique beginning names a request. */
export function shortId(id: string): string {
  return visibleBeginning(id.replace(/^req_/, ""), 200).slice(0, 6);
}

function present(line: string | undefined): readonly string[] {
  return line === undefined || line === "" ? [] : [line];
}
