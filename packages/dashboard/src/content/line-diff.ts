export interface DiffLine {
  readonly kind: "same" | "gone" | "new" | "skip";
  readonly text: string;
}

/** What is done to one file. */
export interface FileChange {
  /** Empty where nobody says which. */
  readonly path: string;
  readonly lines: readonly DiffLine[];
}

/** Lines around a change that stay the same and are shown for orientation. */
const AROUND = 3;
/** Beyond this many pairs of lines nobody looks for what they share: all of the one goes, all of the other comes. */
const MOST_PAIRS = 250_000;

/** What changed between two texts, line by line. Long stretches that stay the same are left out, and counted. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  return shorten(compare(linesOf(before), linesOf(after)));
}

export function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function compare(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const shorter = Math.min(before.length, after.length);
  let top = 0;
  while (top < shorter && before[top] === after[top]) top++;
  let bottom = 0;
  while (bottom < shorter - top && before[before.length - 1 - bottom] === after[after.length - 1 - bottom]) bottom++;
  return [
    ...mark("same", before.slice(0, top)),
    ...between(before.slice(top, before.length - bottom), after.slice(top, after.length - bottom)),
    ...mark("same", before.slice(before.length - bottom)),
  ];
}

/** The longest common subsequence, by the table that everybody knows. */
function between(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  if (before.length * after.length > MOST_PAIRS || before.length === 0 || after.length === 0) {
    return [...mark("gone", before), ...mark("new", after)];
  }
  const width = after.length + 1;
  const table = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number) => table[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      table[row * width + column] =
        before[row] === after[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < before.length && column < after.length) {
    const [old = "", fresh = ""] = [before[row], after[column]];
    if (old === fresh) {
      lines.push({ kind: "same", text: old });
      row++;
      column++;
    } else if (at(row + 1, column) >= at(row, column + 1)) {
      lines.push({ kind: "gone", text: old });
      row++;
    } else {
      lines.push({ kind: "new", text: fresh });
      column++;
    }
  }
  return [...lines, ...mark("gone", before.slice(row)), ...mark("new", after.slice(column))];
}

function mark(kind: DiffLine["kind"], lines: readonly string[]): readonly DiffLine[] {
  return lines.map((text) => ({ kind, text }));
}

function shorten(lines: readonly DiffLine[]): readonly DiffLine[] {
  const shown: DiffLine[] = [];
  for (let index = 0; index < lines.length; ) {
    let end = index;
    while (end < lines.length && lines[end]?.kind === "same") end++;
    if (end === index) {
      shown.push(...lines.slice(index, index + 1));
      index++;
      continue;
    }
    const isFirst = index === 0;
    const isLast = end === lines.length;
    const head = isFirst ? 0 : AROUND;
    const tail = isLast ? 0 : AROUND;
    const left = end - index - head - tail;
    if (left <= 1) shown.push(...lines.slice(index, end));
    else {
      shown.push(...lines.slice(index, index + head));
      shown.push({ kind: "skip", text: `${left} lines that stay` });
      shown.push(...lines.slice(end - tail, end));
    }
    index = end;
  }
  return shown;
}
