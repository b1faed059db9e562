import type { SplitterSink } from "@earshot/hub/splitters";
import type { Problem } from "@earshot/protocol/problem";
import { TraceBuilder } from "../../visualize/build-trace.ts";
import { renderSvg } from "../../visualize/svg/svg.ts";
import { tellTrace } from "../../visualize/words/story.ts";

/** A run as a picture, with all that it shows in words. */
export interface Picture {
  readonly svg: string;
  readonly overview: readonly string[];
  readonly sections: readonly { readonly heading: string; readonly sentences: readonly string[] }[];
}

/** Hears a run as it is read, and draws it: the picture that `earshot visualize` gives. */
export class PictureTaker implements SplitterSink {
  readonly #builder: TraceBuilder;

  constructor(title: string) {
    this.#builder = new TraceBuilder({ title });
  }

  hear(text: string, line: number, sizeBytes: number): void {
    this.#builder.hear(text, line, sizeBytes);
  }

  refuse(problem: Problem, line: number): void {
    this.#builder.refuse(problem, line);
  }

  take(): Picture {
    const trace = this.#builder.end();
    const { overview, sections } = tellTrace(trace);
    return { svg: renderSvg(trace), overview, sections };
  }
}
