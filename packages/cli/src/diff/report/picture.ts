import type { SplitterSink } from "@earshot/hub/splitters";
import type { Problem } from "@earshot/protocol/problem";
import { type Markup, markup, NOTHING } from "../../check/report/markup.ts";
import { excerpt } from "../../check/report/phrases.ts";
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

const LONGEST = 600;
/** Sentences of one session on the page: the picture's own text alternative has all of them. */
const MOST_SECTIONS = 40;

/** Both runs as pictures, each with its words. A picture is an image of its own, so that two of them do not share names and styles. */
export function pictureSection(pictures: readonly [a: Picture, b: Picture] | undefined): Markup {
  if (pictures === undefined) return NOTHING;
  return markup`<section aria-labelledby="pictures">
<h2 id="pictures">Both runs as pictures</h2>
${pictures.map((picture, index) => figure(picture, index === 0 ? "A" : "B"))}
</section>`;
}

function figure({ svg, overview, sections }: Picture, side: string): Markup {
  const source = `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
  const words = sections.slice(0, MOST_SECTIONS).map(
    ({ heading, sentences }) => markup`<h3>${excerpt(heading, LONGEST)}</h3>
<ul>
${sentences.map((sentence) => markup`<li>${excerpt(sentence, LONGEST)}</li>`)}
</ul>`,
  );
  return markup`<figure class="picture">
<figcaption>${side}: ${excerpt(overview.join(" "), LONGEST)}</figcaption>
<div class="frame" role="group" tabindex="0" aria-label="The picture of ${side}"><img src="${source}" alt="The trace of ${side}. The text below says the same."></div>
<details>
<summary>The picture of ${side} in words</summary>
${words}
</details>
</figure>`;
}
