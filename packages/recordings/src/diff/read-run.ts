import type { Readable } from "node:stream";
import { EarshotError } from "@earshot/protocol/problem";
import { readRecording } from "../check/recording.ts";
import type { ExcludedParts } from "./fold/lane-fold.ts";
import { RunReader } from "./run-reader.ts";
import { FACETS, type FacetName, type RecordedRun, type StepKind } from "./step.ts";

/** Reads a recording or a stream of events to its end. */
export async function readRecordedRun(
  { title, events }: { readonly title: string; readonly events: string | Readable },
  unwanted: ExcludedParts,
  onBytes: (bytes: number) => void,
): Promise<RecordedRun> {
  const reader = new RunReader();
  await readRecording(events, reader, onBytes).catch((cause: unknown) => {
    if (!EarshotError.is(cause)) throw cause;
    throw new EarshotError({ ...cause.problem, message: `${title}: ${cause.problem.message}` }, { cause });
  });
  const run = reader.end(title, unwanted);
  if (run !== undefined) return run;
  throw new EarshotError({ code: "FILE_EMPTY", message: `There is no event of AAEP, AEP or AOP in ${title}.` });
}

const DETAILS = (Object.keys(FACETS) as FacetName[]).filter((name) => FACETS[name].weight === "detail");

/** The parts that can be excluded from a comparison: whole steps or some of their facets. */
const IGNORABLE: Readonly<Record<string, { readonly kinds?: readonly StepKind[]; readonly facets?: readonly FacetName[] }>> = {
  output: { kinds: ["output"] },
  thoughts: { kinds: ["thought", "decision", "uncertainty"] },
  goals: { kinds: ["goal"] },
  plans: { kinds: ["plan"] },
  states: { kinds: ["state"] },
  notifications: { kinds: ["notification"] },
  memory: { kinds: ["memory"] },
  events: { kinds: ["event"] },
  results: { facets: ["result", "error", "code"] },
  wording: { facets: DETAILS },
};

export const IGNORABLE_NAMES: readonly string[] = Object.keys(IGNORABLE);

export function toExcludedParts(names: readonly string[]): ExcludedParts {
  const meant = names.flatMap((name) => IGNORABLE[name] ?? []);
  return { kinds: new Set(meant.flatMap(({ kinds = [] }) => kinds)), facets: new Set(meant.flatMap(({ facets = [] }) => facets)) };
}
