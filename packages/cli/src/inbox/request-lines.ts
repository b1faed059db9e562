import type { Asked, Inspection, RequestView } from "@earshot/hub";
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

export interface RenderOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly timeZone?: string;
}

/** How a terminal shows text of an agent, and moments. */
export function presentation({ now, timeZone }: Pick<RenderOptions, "now" | "timeZone">): Presentation {
  return { show: visibleBeginning, clock: (at) => formatTime(at, now, timeZone) };
}

/** All that an inbox says about a request. */
export function describe(view: RequestView, options: RenderOptions): RequestDescription {
  const { now, timeZone } = options;
  const clock = (at: number) => `${formatTime(at, now, timeZone)}, in ${formatDuration(at - now)}`;
  return describeRequest(view, view.leftMs === null ? null : now + view.leftMs, { ...presentation(options), clock });
}

/**
 * A request as it is heard: who wants what; whether there is a way back; what silence brings, and when; how it is named. Each
 * sentence stands alone, so that it can be listened to line by line.
 */
export function requestLines(view: RequestView, options: RenderOptions): readonly string[] {
  const { card, decision } = view;
  const description = describe(view, options);
  return [
    description.heading,
    ...present(reversalLine(description)),
    ...(card.asked.isCut === true ? [CUT] : []),
    ...choiceLines(view),
    ...(decision === null
      ? [view.waits ? description.silence.join(" ") : nobodyWaits(view)]
      : [describeDecision(decision, card, presentation(options)), ...present(aftermathLine(view, options))]),
    `Id ${shortId(view.id)}.`,
  ];
}

/** Whether there is a way back, and what is known to come of it. Undefined where nothing happens that could be undone. */
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

const SHORT = 120;

/** The request in one sentence, made from the real input: `Claude Code in shop wants to run git push`. The agent's own words are quoted. */
export function whatItWants(asked: Asked, { commands }: Inspection = inspectRequest(asked)): string {
  return describeHeading(asked, { show: visibleBeginning, commands }).heading;
}

/** The same, short enough to stand before a piece of news about it. */
export function whatItWantsInShort(asked: Asked, inspection?: Inspection): string {
  const whole = whatItWants(asked, inspection);
  return whole.length <= SHORT ? whole : `${[...whole].slice(0, SHORT - 1).join("")}…`;
}

/** What came after: whether the agent took the answer, and what it did. */
export function aftermathLine(view: RequestView, options: Pick<RenderOptions, "now" | "timeZone">): string | undefined {
  const after = describeAftermath(view, presentation(options));
  if (view.alarm === null) return after;
  return [...present(after), `Alarm: ${visibleBeginning(view.alarm, 200)}`].join(" ");
}
