import type { Boundary, Terms } from "../terms.ts";
import { hintFor } from "./hint.ts";
import type { Insight } from "./insight.ts";
import type { StateItem, WholeItem } from "./item.ts";
import type { Cut } from "./text-item.ts";

export interface TextFacts {
  readonly eventId: string;
  readonly stamp: unknown;
  readonly boundaries: ReadonlySet<Boundary>;
}

/** A chunk as it goes out: the latest one's envelope with the text that was cut off. */
export function renderText(insight: Insight, cut: Cut, { eventId, stamp, boundaries }: TextFacts): string {
  const { heard, chunk } = insight;
  const keepsHint = cut.isWhole && (chunk?.hint === undefined || boundaries.has(chunk.hint));
  if (cut.isWhole && keepsHint && eventId === heard.eventId && heard.event["sequence_number"] === undefined) return heard.text;
  const hint = keepsHint ? chunk?.hint : hintFor(cut.level, boundaries);
  const [before, after] = insight.frame;
  const { text, position, isComplete } = cut;
  const anew = JSON.stringify({ event_id: eventId, timestamp: stamp, chunk: text, position, complete: isComplete, coalesce_hint: hint });
  return `${before}${anew.slice(1, -1)}${after}`;
}

/** One or several changes of state as one: from where the first began to where the last led, in the last one's words. */
export function renderState(item: StateItem | WholeItem, eventId: string, terms: Terms): string {
  const event = { ...item.insight.toldBy(terms).event, event_id: eventId };
  return JSON.stringify(item.type === "state" ? { ...event, from_state: item.step.from } : event);
}
