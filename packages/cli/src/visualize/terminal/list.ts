import { createStyle } from "../../terminal/style.ts";
import { wrap } from "../../terminal/wrap.ts";
import type { Trace } from "../trace.ts";
import { tellTrace, violationInWords } from "../words/story.ts";

/** How the words are to be laid out; a width of 0 leaves lines as long as they are. */
export interface ListLayout {
  readonly width: number;
  readonly colour: boolean;
}

/** Broken rules told one by one in each part. */
const TOLD = 50;

/** The trace as a list that is read from top to bottom: for screen readers, braille displays, files and pipes. */
export function renderList(trace: Trace, { width, colour }: ListLayout): string {
  const style = createStyle(colour);
  const story = tellTrace(trace);
  const filled = (text: string) => wrap(text, { width, indent: "", hanging: "    " });
  const lines = [style.bold(story.title), ...story.overview.flatMap(filled)];
  for (const { heading, sentences, violations } of story.sections) {
    lines.push("", ...filled(heading).map(style.bold), ...sentences.flatMap(filled));
    for (const violation of violations.slice(0, TOLD)) {
      const [first = "", ...others] = filled(violationInWords(violation));
      lines.push(violation.severity === "error" ? style.red(first) : first, ...others);
    }
    if (violations.length > TOLD) lines.push(`${violations.length - TOLD} more are listed in the HTML page.`);
  }
  const elsewhere = trace.violations.filter(({ section }) => section === undefined).slice(0, TOLD);
  const rest = [...elsewhere.map(violationInWords), ...story.rest];
  if (rest.length > 0) lines.push("", ...rest.flatMap(filled));
  return `${lines.join("\n")}\n`;
}
