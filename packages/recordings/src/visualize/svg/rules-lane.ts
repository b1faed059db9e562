import { formatCount } from "@earshot/narrate";
import type { Severity } from "@earshot/protocol";
import { type Markup, markup } from "../../check/report/markup.ts";
import { SEVERITY_WORDS } from "../../check/report/phrases.ts";
import { markLabel, marksOf, type ViolationMark } from "../draw/marks.ts";
import type { RecordingTrace, Section } from "../trace.ts";
import { violationInWords } from "../words/describe-trace.ts";
import { type DrawnPart, laneLabel, PLOT_WIDTH, widthOf, xAt } from "./plot.ts";

const HEIGHT = 34;
const APART_PX = 18;
/** Guides for more marks than this would cover the lanes. */
const GUIDES = 24;

/** Draws every broken rule at the event that breaks it; the numbers match the list. */
export function drawRules(trace: RecordingTrace, section: Section, y: number, top: number): DrawnPart | undefined {
  const marks = marksOf(trace, section, APART_PX / PLOT_WIDTH);
  if (marks.length === 0) return undefined;
  const guides = marks.length > GUIDES ? [] : marks.map((mark) => drawGuide(mark, top, y));
  let free = 0;
  const shapes = marks.map((mark) => {
    const x = xAt(mark.place);
    const label = markLabel(mark);
    const half = widthOf(label) / 2;
    const fits = x - half > free;
    if (fits) free = x + half + 4;
    const text = fits ? markup`<text class="small" x="${x}" y="${y + 31}" text-anchor="middle">${label}</text>` : markup``;
    return markup`<g><title>${markInWords(mark)}</title>${drawShape(mark.severity, x, y + 10)}${text}</g>`;
  });
  return { markup: markup`<g>${guides}${laneLabel("Rules", y + 15)}${shapes}</g>`, height: HEIGHT };
}

/** A filled diamond, an open triangle or an open circle: distinguishable without color. */
export function drawShape(severity: Severity, x: number, y: number): Markup {
  if (severity === "error") return markup`<path class="mark error" d="M${x} ${y - 7}l7 7l-7 7l-7 -7z"/>`;
  if (severity === "warning") return markup`<path class="mark warning" d="M${x} ${y - 7}l7 12.5h-14z"/>`;
  return markup`<circle class="mark info" cx="${x}" cy="${y}" r="5"/>`;
}

function drawGuide({ place, severity }: ViolationMark, top: number, bottom: number): Markup {
  return markup`<line class="guide ${severity}" x1="${xAt(place)}" x2="${xAt(place)}" y1="${top}" y2="${bottom + 3}"/>`;
}

function markInWords({ count, listed, severity }: ViolationMark): string {
  const [only, another] = listed;
  if (only !== undefined && another === undefined && count === 1) return violationInWords(only);
  return `${formatCount(count, "broken rule")} here, the worst of them: ${SEVERITY_WORDS[severity]}`;
}
