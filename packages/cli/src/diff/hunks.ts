import type { LanePair, Row } from "./comparison.ts";

/** Rows to be shown one by one, or a run of alike ones that is told as a number. */
export type Hunk = { readonly kind: "rows"; readonly rows: readonly Row[] } | { readonly kind: "alike"; readonly rows: readonly Row[] };

/** A run of alike steps that is not longer than the line that would stand for it is shown. */
const NOT_WORTH_HIDING = 1;

/** What differs with so many alike steps around it; the rest as runs. */
export function toHunks({ rows }: LanePair, context: number): readonly Hunk[] {
  const isShown = new Uint8Array(rows.length);
  let last = Number.NEGATIVE_INFINITY;
  rows.forEach((row, index) => {
    if (row.is !== "alike") last = index;
    if (index - last <= context) isShown[index] = 1;
  });
  last = Number.POSITIVE_INFINITY;
  for (let index = rows.length - 1; index >= 0; index--) {
    if (rows[index]?.is !== "alike") last = index;
    if (last - index <= context) isShown[index] = 1;
  }
  const hunks: { kind: Hunk["kind"]; rows: Row[] }[] = [];
  for (let from = 0; from < rows.length; ) {
    let to = from;
    while (to < rows.length && isShown[to] === isShown[from]) to++;
    const kind = isShown[from] === 1 || to - from <= NOT_WORTH_HIDING ? "rows" : "alike";
    const before = hunks.at(-1);
    const those = rows.slice(from, to);
    if (before?.kind === "rows" && kind === "rows") for (const row of those) before.rows.push(row);
    else hunks.push({ kind, rows: those });
    from = to;
  }
  return hunks;
}
