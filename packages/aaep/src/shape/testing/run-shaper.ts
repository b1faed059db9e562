import type { JsonObject } from "@earshot/protocol";
import type { FeedEvent } from "../../feed.ts";
import type { OutgoingEvent, Shaper } from "../outgoing.ts";

/** A sent event with its time and batch. */
export interface SentEvent extends OutgoingEvent {
  readonly at: number;
  /** The `take` that returned it. */
  readonly batch: number;
  readonly event: JsonObject;
}

/** The timing: pauses before each event, and whether a `take` follows. */
export interface TakeRhythm {
  readonly gapsMs: readonly number[];
  readonly takes: readonly boolean[];
}

/** Runs a stream through a shaper like a subscription, and takes everything at the end. */
export function runShaper(shaper: Shaper, heard: readonly FeedEvent[], { gapsMs, takes }: TakeRhythm, from = 0): SentEvent[] {
  const sent: SentEvent[] = [];
  let at = from;
  let batch = 0;
  const take = () => {
    batch++;
    for (const one of shaper.take(at, 10_000)) sent.push({ ...one, at, batch, event: JSON.parse(one.text) as JsonObject });
  };
  const wait = () => {
    const due = shaper.dueAt();
    if (due === undefined) throw new Error("Something waits, and for nothing.");
    at = Math.max(at, due);
    const before = sent.length;
    take();
    // A later chunk may delay a due item, but not make it due at once again.
    if (sent.length === before && (shaper.dueAt() ?? Number.POSITIVE_INFINITY) <= at) throw new Error("It is due, and nothing comes.");
  };
  heard.forEach((one, index) => {
    at += gapsMs[index % gapsMs.length] ?? 0;
    shaper.handle(one, at);
    if (one.critical || takes[index % takes.length] === true) take();
  });
  for (let turn = 0; shaper.dueAt() !== undefined; turn++) {
    if (turn > 100_000) throw new Error("It never ends.");
    wait();
  }
  return sent;
}

/** The text of each output with the language of each part. */
export function outputTextsOf(events: readonly JsonObject[]): Record<string, string> {
  const texts: Record<string, string> = {};
  const spoken: Record<string, string> = {};
  for (const event of events) {
    if (event["type"] !== "aaep:agent.output.streaming") continue;
    const key = `${event["session_id"]} ${event["output_id"]}`;
    const language = String(event["language"] ?? "-");
    texts[key] =
      `${texts[key] ?? ""}${spoken[key] === language ? "" : `<${language}>`}${event["chunk"]}${event["complete"] === true ? "<end>" : ""}`;
    spoken[key] = language;
  }
  return texts;
}
