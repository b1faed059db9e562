import type { ExcludedParts } from "../fold/lane-fold.ts";
import { RunReader } from "../run-reader.ts";
import type { RecordedRun } from "../step.ts";

export const NOTHING_EXCLUDED: ExcludedParts = { kinds: new Set(), facets: new Set() };

/** A run from the lines of a file. */
export function readRunFromLines(lines: readonly string[], unwanted: ExcludedParts = NOTHING_EXCLUDED): RecordedRun {
  const reader = new RunReader();
  for (const line of lines) reader.handle(line);
  const run = reader.end("run.jsonl", unwanted);
  if (run === undefined) throw new Error("There is no event in it.");
  return run;
}
