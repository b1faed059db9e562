import type { Unwanted } from "../fold/lane-fold.ts";
import { RunReader } from "../run-reader.ts";
import type { Run } from "../step.ts";

export const NOTHING_UNWANTED: Unwanted = { kinds: new Set(), facets: new Set() };

/** A run from the lines of a file. */
export function readRun(lines: readonly string[], unwanted: Unwanted = NOTHING_UNWANTED): Run {
  const reader = new RunReader();
  for (const line of lines) reader.hear(line);
  const run = reader.end("run.jsonl", unwanted);
  if (run === undefined) throw new Error("There is no event in it.");
  return run;
}
