/** A step of A that stands beside a step of B, by index. What is in no pair is in one run alone. Both sides rise from pair to pair. */
export type Pairs = readonly (readonly [a: number, b: number])[];

/** Two rows to be laid side by side. */
export interface Rows {
  /** Numbers that are equal for steps that are equal. */
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  /** How like the step of A at the first index is to that of B at the second: from 0 to 1. */
  readonly likeness: (a: number, b: number) => number;
}

/** Part of both rows: from the first index to before the second. */
export interface Gap {
  readonly fromA: number;
  readonly toA: number;
  readonly fromB: number;
  readonly toB: number;
}
