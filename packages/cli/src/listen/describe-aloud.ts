import type { RequestView } from "@earshot/hub";
import { type Segment, type SpokenRequest, speakRequest } from "@earshot/narrate";
import { listenPhrases } from "./listen-phrases.ts";

/** A request and its answers for listening, from the real input like its card. */
export function describeAloud(view: RequestView, language: string, from?: string): SpokenRequest {
  return speakRequest(view, { language, ...(from === undefined ? {} : { from }) });
}

/** A request as announced: an agent's question in its own words followed by the answers, a tool call by its effect. */
export function requestSegments(
  view: RequestView,
  { announced, from, language }: { readonly announced: readonly Segment[]; readonly from: string | undefined; readonly language: string },
): readonly Segment[] {
  const effect = describeAloud(view, language, from);
  if (view.kind === "permission" && effect.segments.length > 0) return effect.segments;
  const answers = effect.answersText;
  const isSaid = answers === "" || announced.some(({ text }) => text.includes(answers));
  return isSaid ? announced : [...announced, { text: answers, language: listenPhrases(language).language }];
}
