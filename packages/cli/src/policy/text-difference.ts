import { visibleText } from "../inbox/visible-text.ts";

const MOST_LINES = 2000;
const AROUND = 2;

/** Two texts line by line: `-` goes, `+` comes, and a little of what stays around them. By longest common subsequence. */
export function textDifference(before: string, after: string): readonly string[] {
  const [old, fresh] = [before.split("\n").slice(0, MOST_LINES), after.split("\n").slice(0, MOST_LINES)];
  const lengths = commonLengths(old, fresh);
  const lines: { readonly mark: " " | "-" | "+"; readonly text: string }[] = [];
  let [one, other] = [0, 0];
  while (one < old.length || other < fresh.length) {
    if (one < old.length && other < fresh.length && old[one] === fresh[other]) {
      lines.push({ mark: " ", text: old[one] ?? "" });
      one++;
      other++;
    } else if (other >= fresh.length || (one < old.length && at(lengths, one + 1, other) >= at(lengths, one, other + 1))) {
      lines.push({ mark: "-", text: old[one] ?? "" });
      one++;
    } else {
      lines.push({ mark: "+", text: fresh[other] ?? "" });
      other++;
    }
  }
  const isNear = lines.map((_line, index) => lines.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ mark }) => mark !== " "));
  return lines.flatMap(({ mark, text }, index) => (isNear[index] === true ? [`${mark} ${visibleText(text)}`] : []));
}

function commonLengths(old: readonly string[], fresh: readonly string[]): readonly Uint16Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(fresh.length + 1));
  for (let one = old.length - 1; one >= 0; one--) {
    for (let other = fresh.length - 1; other >= 0; other--) {
      const row = lengths[one];
      if (row === undefined) continue;
      row[other] =
        old[one] === fresh[other]
          ? at(lengths, one + 1, other + 1) + 1
          : Math.max(at(lengths, one + 1, other), at(lengths, one, other + 1));
    }
  }
  return lengths;
}

function at(lengths: readonly Uint16Array[], one: number, other: number): number {
  return lengths[one]?.[other] ?? 0;
}
