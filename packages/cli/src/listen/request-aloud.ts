import type { RequestView } from "@earshot/hub";
import { type Segment, type SpokenRequest, speakRequest } from "@earshot/narrate";
import { listenPhrases } from "./listen-phrases.ts";

/** What can be heard of a request, and answered to it: made from the real input, as its card is. */
export function aloud(view: RequestView, language: string, from?: string): SpokenRequest {
  return speakRequest(view, { language, ...(from === undefined ? {} : { from }) });
}

/**
 * A request as it is announced. What an agent asks in its own words is told in them, and the answers after it; what a tool would do
 * is told as its effect.
 */
export function requestSegments(
  view: RequestView,
  { announced, from, language }: { readonly announced: readonly Segment[]; readonly from: string | undefined; readonly language: string },
): readonly Segment[] {
  const effect = aloud(view, language, from);
  if (view.kind === "permission" && effect.segments.length > 0) return effect.segments;
  const answers = effect.answersText;
  const isSaid = answers === "" || announced.some(({ text }) => text.includes(answers));
  return isSaid ? announced : [...announced, { text: answers, language: listenPhrases(language).language }];
}
