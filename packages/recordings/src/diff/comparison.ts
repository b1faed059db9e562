import type { FacetName, RecordedRun, RunLane, StepKind } from "./step.ts";

/** The comparison of two runs. */
export interface Comparison {
  readonly a: RecordedRun;
  readonly b: RecordedRun;
  /** Matched sessions and sessions of one run only, each before the sessions that it started. */
  readonly lanes: readonly LanePair[];
  readonly counts: Readonly<Record<RowKind, number>>;
  /** The first divergence; undefined if the runs follow the same course to the end. */
  readonly parting?: { readonly lane: number; readonly row: number };
  /** Steps that were not compared, because the other protocol cannot express their kind. */
  readonly unsaid: readonly { readonly side: "a" | "b"; readonly kind: StepKind; readonly count: number }[];
  /** Number of steps that were aligned in pieces, because the runs are too long and too different. */
  readonly cut: number;
}

export type RowKind = "alike" | "details" | "changed" | "only-a" | "only-b";

export interface LanePair {
  readonly a?: RunLane;
  readonly b?: RunLane;
  /** Index of the parent's pair. */
  readonly parent?: number;
  readonly depth: number;
  /** All compared steps of both lanes, in the order of both. */
  readonly rows: readonly ComparedRow[];
}

/** Steps are given by their index in the lane. */
export interface ComparedRow {
  readonly is: RowKind;
  readonly a?: number;
  readonly b?: number;
  /** The facets in which the paired steps differ. */
  readonly differs: readonly FacetName[];
}

const TURNED: Readonly<Record<RowKind, RowKind>> = {
  alike: "alike",
  details: "details",
  changed: "changed",
  "only-a": "only-b",
  "only-b": "only-a",
};

/** The same comparison with A and B swapped. */
export function swapSides({ a, b, lanes, counts, parting, unsaid, cut }: Comparison): Comparison {
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

/** Rows of A precede rows of B, also after mirroring. */
function mirrorRows(rows: readonly ComparedRow[]): readonly ComparedRow[] {
  const turned: ComparedRow[] = [];
  let held: ComparedRow[] = [];
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

function mirrorRow({ is, a, b, differs }: ComparedRow): ComparedRow {
  return { is: TURNED[is], ...(b === undefined ? {} : { a: b }), ...(a === undefined ? {} : { b: a }), differs };
}

/** The first differing row of the lane, on either side. */
function mirrorParting(parting: { readonly lane: number; readonly row: number }, lanes: readonly LanePair[]) {
  const rows = mirrorRows(lanes[parting.lane]?.rows ?? []);
  const row = rows.findIndex(({ is }) => is !== "alike" && is !== "details");
  return { lane: parting.lane, row };
}

type Parting = NonNullable<Comparison["parting"]>;

/**
 * The first divergence of two runs. The divergence of a session started before its parent diverges takes precedence. Differences in
 * wording and results are not a divergence.
 */
export function findParting(lanes: readonly LanePair[]): Parting | undefined {
  const found: (Parting | undefined)[] = [];
  const children = new Map<number, number[]>();
  const roots: number[] = [];
  lanes.forEach(({ parent }, index) => {
    const known = parent === undefined ? roots : children.get(parent);
    if (known !== undefined) known.push(index);
    else if (parent !== undefined) children.set(parent, [index]);
  });
  // Children follow their parents, so iterating from the end resolves each child before its parent.
  for (let index = lanes.length - 1; index >= 0; index--) {
    const pair = lanes[index];
    if (pair === undefined) continue;
    const own = pair.rows.findIndex(({ is }) => is !== "alike" && is !== "details");
    const earlier = (children.get(index) ?? []).find(
      (child) => found[child] !== undefined && (own < 0 || isBefore(pair, lanes[child], own)),
    );
    found[index] = earlier === undefined ? (own < 0 ? undefined : { lane: index, row: own }) : found[earlier];
  }
  for (const root of roots) if (found[root] !== undefined) return found[root];
  return undefined;
}

/**
 * Whether the child was started before that row of its parent. A session present in one run only is represented by the step that starts
 * it.
 */
function isBefore({ rows }: LanePair, child: LanePair | undefined, row: number): boolean {
  if (child?.a === undefined || child.b === undefined) return false;
  const { a, b } = rows[row] ?? {};
  const [startA, startB] = [child.a.parent?.step ?? 0, child.b.parent?.step ?? 0];
  return (a === undefined || startA < a) && (b === undefined || startB < b);
}

/** Rows shown one by one, or a run of alike rows shown as a count. */
export type RowHunk =
  | { readonly kind: "rows"; readonly rows: readonly ComparedRow[] }
  | { readonly kind: "alike"; readonly rows: readonly ComparedRow[] };

/** A run of alike steps is shown if it is not longer than the line that would replace it. */
const NOT_WORTH_HIDING = 1;

/** Splits the rows into hunks: differences with `context` alike steps around them, and collapsed runs of the other steps. */
export function toHunks({ rows }: LanePair, context: number): readonly RowHunk[] {
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
  const hunks: { kind: RowHunk["kind"]; rows: ComparedRow[] }[] = [];
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
