import type { FacetName, Lane, Run, StepKind } from "./step.ts";

/** Two runs laid side by side. */
export interface Comparison {
  readonly a: Run;
  readonly b: Run;
  /** Sessions that do the same work, or that only one run has; each before those it started. */
  readonly lanes: readonly LanePair[];
  readonly counts: Readonly<Record<RowKind, number>>;
  /** Where they first do something else; undefined where they do the same all the way. */
  readonly parting?: { readonly lane: number; readonly row: number };
  /** Steps that were not compared, since the other protocol has no word for such a thing. */
  readonly unsaid: readonly { readonly side: "a" | "b"; readonly kind: StepKind; readonly count: number }[];
  /** Steps that were aligned in pieces, since the runs are too long and too different. */
  readonly cut: number;
}

export type RowKind = "alike" | "details" | "changed" | "only-a" | "only-b";

export interface LanePair {
  readonly a?: Lane;
  readonly b?: Lane;
  /** Place of the parent's pair. */
  readonly parent?: number;
  readonly depth: number;
  /** Every step of both, in the order of both. */
  readonly rows: readonly Row[];
}

/** Steps by their place in the lane. */
export interface Row {
  readonly is: RowKind;
  readonly a?: number;
  readonly b?: number;
  /** In which facets two steps that stand beside each other differ. */
  readonly differs: readonly FacetName[];
}
