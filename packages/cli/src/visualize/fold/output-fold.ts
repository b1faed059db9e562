import type { Activity } from "@earshot/protocol/activities";
import type { Moment, OutputSpan } from "../trace.ts";
import { briefly } from "./briefly.ts";
import type { Added } from "./buckets.ts";
import { OpenSpans } from "./open-spans.ts";

const NOTHING: Added = {};

/** What is put out: in pieces, or whole. */
export class OutputFold {
  readonly spans = new OpenSpans<OutputSpan>();
  #characters = 0;

  get characters(): number {
    return this.#characters;
  }

  hear(activity: Activity, at: Moment): Added {
    if (activity.kind === "response") {
      // The same words that came in pieces before are not put out twice.
      const streamed = `=`;
      if (this.spans.has(streamed)) {
        this.spans.end(streamed, at);
        return NOTHING;
      }
      return this.#piece(undefined, activity.text.length, true, at);
    }
    if (activity.kind !== "output.chunk" || activity.of === "thought") return NOTHING;
    return this.#piece(`=${briefly(activity.outputId ?? "", 256)}`, activity.text.length, activity.last, at);
  }

  #piece(key: string | undefined, characters: number, isLast: boolean, at: Moment): Added {
    this.#characters += characters;
    const grow = (span: OutputSpan): OutputSpan => ({
      ...span,
      to: at,
      characters: span.characters + characters,
      chunks: span.chunks + 1,
    });
    const own =
      key !== undefined && this.spans.has(key) ? key : this.spans.begin(key, at, (begun) => ({ ...begun, characters: 0, chunks: 0 }));
    if (isLast) this.spans.end(own, at, grow);
    else this.spans.change(own, grow);
    return { characters };
  }
}
