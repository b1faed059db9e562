/** Something wrong with a file that a person wrote, and where. An error keeps the file from being used. */
export interface Trouble {
  readonly severity: "error" | "warning";
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly hint: string;
}

/** What was read, with what is to be said about it; or only that. */
export type Read<Value> =
  | { readonly ok: true; readonly value: Value; readonly warnings: readonly Trouble[] }
  | { readonly ok: false; readonly troubles: readonly Trouble[] };

/**
 * Our own files are read strictly. Files of other people are read leniently: what is unknown is told and left out, and
 * of two equal keys the last counts, because published files have such.
 */
export type Strictness = "strict" | "lenient";
