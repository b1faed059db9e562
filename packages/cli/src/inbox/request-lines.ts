import type { AskedCard, Inspection, RequestView } from "@earshot/hub";
import { questionsIn } from "@earshot/hub/questions";
import {
  describeAftermath,
  describeDecision,
  describeHeading,
  describeRequest,
  formatDuration,
  formatTime,
  type Presentation,
  type RequestDescription,
} from "@earshot/narrate";
import { inspectRequest } from "./inspect-request.ts";
import { visibleBeginning } from "./visible-text.ts";

export interface RequestLinesOptions {
  /** Unix milliseconds. */
  readonly now: number;
  readonly timeZone?: string;
}

/** How a terminal shows agents' texts and times. */
export function terminalPresentation({ now, timeZone }: Pick<RequestLinesOptions, "now" | "timeZone">): Presentation {
  return { show: visibleBeginning, clock: (at) => formatTime(at, now, timeZone) };
}

/** The inbox's description of a request. */
export function describeForInbox(view: RequestView, options: RequestLinesOptions): RequestDescription {
  const { now, timeZone } = options;
  const clock = (at: number) => `${formatTime(at, now, timeZone)}, in ${formatDuration(at - now)}`;
  return describeRequest(view, view.leftMs === null ? null : now + view.leftMs, { ...terminalPresentation(options), clock });
}

/**
 * A request for listening: who wants what, whether it can be undone, what happens without an answer and when, and its id. Each sentence
 * stands alone.
 */
export function requestLines(view: RequestView, options: RequestLinesOptions): readonly string[] {
  const { card, decision } = view;
  const description = describeForInbox(view, options);
  return [
    description.heading,
    ...present(reversalLine(description)),
    ...(card.asked.isCut === true ? [CUT] : []),
    ...choiceLines(view),
    ...(decision === null
      ? [view.waits ? description.silence.join(" ") : describeClosedRequest(view)]
      : [describeDecision(decision, card, terminalPresentation(options)), ...present(aftermathLine(view, options))]),
    `Id ${pronounceableId(view.id)}.`,
  ];
}

/** Reversibility and known dangers. Undefined if nothing happens that could be undone. */
function reversalLine({ reversal, dangers, hidden, risk }: RequestDescription): string | undefined {
  if (reversal === undefined) return undefined;
  return [
    visibleBeginning(reversal.sentence, 400),
    ...dangers.map((sentence) => visibleBeginning(sentence, 200)),
    ...(hidden.length === 0 ? [] : [`Hidden in it: ${hidden.map((sentence) => visibleBeginning(sentence, 200)).join(" ")}`]),
    ...(risk === "unknown" ? [] : [`Risk: ${risk}.`]),
  ].join(" ");
}

const CUT = "It is too large to be shown completely and cannot be allowed here.";

/** The choices, by number or by their own words. */
function choiceLines({ card, decision }: RequestView): readonly string[] {
  if (decision !== null) return [];
  return questionsIn(card.asked).flatMap(({ text, choices, isOptional }, index, all) => {
    const which = all.length === 1 ? "" : `Question ${index + 1}${isOptional ? ", optional" : ""}: “${visibleBeginning(text, 200)}”`;
    const listed = choices.map(
      ({ label, about }, at) =>
        `${at + 1} ${visibleBeginning(label, 80)}${about === undefined ? "" : ` (${visibleBeginning(about, 200)})`}`,
    );
    const line = [which, listed.length === 0 ? "" : `Choices: ${listed.join(", ")}.`].filter((part) => part !== "").join(" ");
    return line === "" ? [] : [line];
  });
}

export function describeClosedRequest({ closedBecause }: Pick<RequestView, "closedBecause">): string {
  return `${visibleBeginning(closedBecause ?? "The agent no longer waits for an answer.", 200)} It cannot be answered now.`;
}

/** A pronounceable part of an id. Commands accept any unique prefix. */
export function pronounceableId(id: string): string {
  return visibleBeginning(id.replace(/^req_/, ""), 200).slice(0, 6);
}

function present(line: string | undefined): readonly string[] {
  return line === undefined || line === "" ? [] : [line];
}

const MAX_SHORT_CHARACTERS = 120;

/** The request in one sentence from its real input: `Claude Code in shop wants to run git push`. The agent's own words are quoted. */
export function describeWanted(asked: AskedCard, { commands }: Inspection = inspectRequest(asked)): string {
  return describeHeading(asked, { show: visibleBeginning, commands }).heading;
}

/** A short form to precede news about it. */
export function describeWantedBriefly(asked: AskedCard, inspection?: Inspection): string {
  const whole = describeWanted(asked, inspection);
  return whole.length <= MAX_SHORT_CHARACTERS ? whole : `${[...whole].slice(0, MAX_SHORT_CHARACTERS - 1).join("")}…`;
}

/** The aftermath: whether the agent took the answer, and what it did. */
export function aftermathLine(view: RequestView, options: Pick<RequestLinesOptions, "now" | "timeZone">): string | undefined {
  const after = describeAftermath(view, terminalPresentation(options));
  if (view.alarm === null) return after;
  return [...present(after), `Alarm: ${visibleBeginning(view.alarm, 200)}`].join(" ");
}
