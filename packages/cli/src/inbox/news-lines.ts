import type { News, RequestView } from "@earshot/hub";
import { aftermathLine, decisionLine } from "./decision-line.ts";
import { nobodyWaits, type RenderOptions, requestLines } from "./request-lines.ts";
import { ofSilence, silenceLine } from "./silence-line.ts";
import { durationInWords } from "./time-words.ts";
import { visibleBeginning } from "./visible-text.ts";
import { whatItWantsInShort } from "./what-it-wants.ts";

/** A request with its number: the sentence first, the rest below it. */
export function numberedLines(number: number, view: RequestView, options: RenderOptions): readonly string[] {
  const [first = "", ...rest] = requestLines(view, options);
  return [`${number}. ${first}`, ...rest.map((line) => `   ${line}`)];
}

/**
 * What happened to a request, in a line that can be understood by itself: which one it is comes with it. `number` is undefined
 * for a request that never waited here, such as one that a rule answered at once; of these only alarms are told.
 */
export function newsLines(news: News, number: number | undefined, view: RequestView | null, options: RenderOptions): readonly string[] {
  const { what, text } = news;
  if (what === "alarm") return [`Alarm: ${visibleBeginning(text, 400)}`];
  if (news.request === null) return [visibleBeginning(text, 400)];
  if (number === undefined || view === null) return [];
  const { now, timeZone } = options;
  const which = whatItWantsInShort(view.card.asked, options.inspection);
  const left = view.leftMs === null ? "" : durationInWords(view.leftMs);
  switch (what) {
    case "asked":
      return numberedLines(number, view, options);
    case "half-time":
      return view.decision === null ? [`${number}. Half of the time has passed, ${left} left: ${which}`] : [];
    case "last-call":
      return view.decision === null ? [`${number}. Only ${left} left, then ${ofSilence(view.card)}: ${which}`] : [];
    case "extended":
      return [`${number}. More time was given. ${silenceLine(view, now, timeZone)}`];
    case "unattended":
      return view.decision === null ? [`${number}. ${nobodyWaits(view)} It was: ${which}`] : [];
    case "attended":
      return [`${number}. The agent is back and waits again: ${which}`];
    case "decided":
      return view.decision === null ? [] : [`${number}. ${decisionLine(view.decision, now, timeZone)} It was: ${which}`];
    case "taken":
      return [`${number}. The agent took the answer.`];
    case "outcome":
      return [`${number}. ${aftermathLine({ ...view, takenAt: null, alarm: null }, now, timeZone) ?? visibleBeginning(text, 200)}`];
    default:
      return [`${number}. ${visibleBeginning(text, 400)}`];
  }
}
