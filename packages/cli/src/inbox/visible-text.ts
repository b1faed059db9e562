import { formatNumber } from "@earshot/narrate";
import { plainText } from "@earshot/terminal/plain-text";

const LONG_GAP = / {9,}/g;
const LONGEST_GAP_OF_LINES = 3;

/** An agent's text on one line. Padding is counted instead of shown, because it would push the rest out of sight. */
export function visibleText(text: string): string {
  return plainText(text).replace(LONG_GAP, (gap) => `[${gap.length} spaces]`);
}

/** As `visibleText`, cut with a note of the missing length. The whole card shows all of it. */
export function visibleBeginning(text: string, most: number): string {
  const shown = visibleText(text);
  if (shown.length <= most) return shown;
  const characters = [...shown];
  const rest = characters.length - most;
  return rest <= 0 ? shown : `${characters.slice(0, most).join("")}… (${formatNumber(rest)} more characters)`;
}

/** As `visibleText`, line by line. Several empty lines are counted. */
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

/** Indentation shows depth, up to a limit. */
function visibleIndented(line: string): string {
  const [indent = ""] = /^ {0,40}/.exec(line) ?? [];
  return indent + visibleText(line.slice(indent.length));
}

/** Quotes an agent's or a person's text, so that it is not mistaken for Earshot's. */
export function quoteVisibly(text: string): string {
  return `“${visibleBeginning(text, LONGEST_QUOTED)}”`;
}

const LONGEST_QUOTED = 200;
