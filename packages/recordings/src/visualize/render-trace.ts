import { ruleOf } from "@earshot/protocol";
import { VERSION } from "@earshot/terminal/version";
import { renderTracePage } from "./html-page.ts";
import { renderMermaid } from "./mermaid/gantt.ts";
import { renderSvg } from "./svg/svg.ts";
import { type ListLayout, renderList, renderPicture } from "./terminal.ts";
import type { RecordingTrace } from "./trace.ts";

export const FORMATS = ["terminal", "svg", "mermaid", "html"] as const;
export type TraceFormat = (typeof FORMATS)[number];

/** The layout for an output; `isWatched` is true for a terminal used by a person. */
interface TraceLayout extends ListLayout {
  readonly isWatched: boolean;
}

/** Pure: the same trace and layout give the same bytes. Ends with a newline. */
export function renderTrace(trace: RecordingTrace, format: TraceFormat, layout: TraceLayout): string {
  switch (format) {
    case "svg":
      return renderSvg(trace);
    case "mermaid":
      return renderMermaid(trace);
    case "html":
      return renderTracePage(trace, { version: VERSION, ruleOf });
    case "terminal":
      // Lanes are visual. Pipes and screen readers get sentences.
      return layout.isWatched ? renderPicture(trace, layout) : renderList(trace, layout);
  }
}
