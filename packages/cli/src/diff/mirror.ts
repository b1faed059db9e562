import type { Comparison, LanePair, Row, RowKind } from "./comparison.ts";

const TURNED: Readonly<Record<RowKind, RowKind>> = {
  alike: "alike",
  details: "details",
  changed: "changed",
  "only-a": "only-b",
  "only-b": "only-a",
};

/** The same comparison with A and B in each other's place. */
export function mirror({ a, b, lanes, counts, parting, unsaid, cut }: Comparison): Comparison {
  return {
    a: b,
    b: a,
    lanes: lanes.map(mirrorPair),
    counts: { ...counts, "only-a": counts["only-b"], "only-b": counts["only-a"] },
    ...(parting === undefined ? {} : { parting: mirrorParting(parting, lanes) }),
    unsaid: unsaid.map(({ side, ...rest }) => ({ side: side === "a" ? ("b" as const) : ("a" as const), ...rest })).reverse(),
    cut,
  };
}

function mirrorPair({ a, b, rows, ...rest }: LanePair): LanePair {
  return { ...rest, ...(b && { a: b }), ...(a && { b: a }), rows: mirrorRows(rows) };
}

/** What only A has stands before what only B has, also after turning. */
function mirrorRows(rows: readonly Row[]): readonly Row[] {
  const turned: Row[] = [];
  let held: Row[] = [];
  const release = () => {
    for (const row of held) turned.push(row);
    held = [];
  };
  for (const row of rows) {
    const mirrored = mirrorRow(row);
    if (mirrored.is === "only-b") held.push(mirrored);
    else {
      if (mirrored.is !== "only-a") release();
      turned.push(mirrored);
    }
  }
  release();
  return turned;
}

function mirrorRow({ is, a, b, differs }: Row): Row {
  return { is: TURNED[is], ...(b === undefined ? {} : { a: b }), ...(a === undefined ? {} : { b: a }), differs };
}

/** The first of the rows that differ there, whichever side it is on. */
function mirrorParting(parting: { readonly lane: number; readonly row: number }, lanes: readonly LanePair[]) {
  const rows = mirrorRows(lanes[parting.lane]?.rows ?? []);
  const row = rows.findIndex(({ is }) => is !== "alike" && is !== "details");
  return { lane: parting.lane, row };
}
