import { formatNumber } from "@earshot/narrate";
import { plainText } from "../terminal/plain-text.ts";

const LONG_GAP = / {9,}/g;
const LONGEST_GAP_OF_LINES = 3;

/** Text of an agent in one line. Padding is counted instead of shown: it would push the rest out of sight. */
export function visibleText(text: string): string {
  return plainText(text).replace(LONG_GAP, (gap) => `[${gap.length} spaces]`);
}

/** The same, cut where it is long, with what is missing said. Whoever wants all of it asks for the whole card. */
export function visibleBeginning(text: string, most: number): string {
  const shown = visibleText(text);
  if (shown.length <= most) return shown;
  const characters = [...shown];
  const rest = characters.length - most;
  return rest <= 0 ? shown : `${characters.slice(0, most).join("")}… (${formatNumber(rest)} more characters)`;
}

/** The same, line by line, for what was written in lines. Empty lines beyond a few are counted. */
export function visibleLines(text: string): readonly string[] {
  const lines: string[] = [];
  let empty = 0;
  const fill = () => {
    if (empty > LONGEST_GAP_OF_LINES) lines.push(`[${empty} empty lines]`);
    else for (let count = 0; count < empty; count++) lines.push("");
    empty = 0;
  };
  for (const line of text.split("\n")) {
    if (line.trim() === "") {
      empty++;
      continue;
    }
    fill();
    lines.push(visibleIndented(line));
  }
  fill();
  return lines;
}

/** What a line begins with says how deep it is, up to some depth. */
function visibleIndented(line: string): string {
  const [indent = ""] = /^ {0,40}/.exec(line) ?? [];
  return indent + visibleText(line.slice(indent.length));
}

/** What an agent or a person wrote, so that nobody takes it for ours. */
export function quoted(text: string): string {
  return `“${visibleBeginning(text, LONGEST_QUOTED)}”`;
}

const LONGEST_QUOTED = 200;
