import type { SplitterSink } from "@earshot/hub/splitters";
import { EarshotError } from "@earshot/protocol/problem";
import { readRecording } from "../check/recording.ts";
import type { Io } from "../io.ts";
import type { ViewPorts } from "../story/view-reader.ts";
import { findSource } from "../visualize/find-source.ts";
import type { Unwanted } from "./fold/lane-fold.ts";
import { RunReader } from "./run-reader.ts";
import { FACETS, type FacetName, type Run, type StepKind } from "./step.ts";

export interface OpenRunOptions {
  readonly io: Io;
  readonly ports: ViewPorts;
  readonly unwanted: Unwanted;
  readonly progress: (name: string, bytes: number) => void;
  /** Hears the run too, as it is read. */
  readonly witness?: SplitterSink;
}

/** The run that a person names: `-` is standard input, what exists is a file, anything else a session of the hub with its subagents. */
export async function openRun(name: string, { io, ports, unwanted, progress, witness }: OpenRunOptions): Promise<Run> {
  const { title, events } = await findSource(name, io, ports).catch((cause: unknown) => {
    if (!EarshotError.is(cause) || cause.problem.code !== "HUB_NOT_FOUND") throw cause;
    const message = `There is no file ${JSON.stringify(name)}, and no hub answers that might know a session of that name.`;
    throw new EarshotError({ code: "HUB_NOT_FOUND", message }, { cause });
  });
  const reader = new RunReader();
  const sink = witness === undefined ? reader : both(reader, witness);
  await readRecording(events, sink, (bytes) => progress(name, bytes)).catch((cause: unknown) => {
    if (!EarshotError.is(cause)) throw cause;
    throw new EarshotError({ ...cause.problem, message: `${title}: ${cause.problem.message}` }, { cause });
  });
  const run = reader.end(title, unwanted);
  if (run !== undefined) return run;
  throw new EarshotError({ code: "FILE_EMPTY", message: `There is no event of AAEP, AEP or AOP in ${title}.` });
}

function both(one: SplitterSink, other: SplitterSink): SplitterSink {
  return {
    hear(text, line, sizeBytes) {
      one.hear(text, line, sizeBytes);
      other.hear(text, line, sizeBytes);
    },
    refuse(problem, line, head, sizeBytes) {
      one.refuse(problem, line, head, sizeBytes);
      other.refuse(problem, line, head, sizeBytes);
    },
  };
}

const DETAILS = (Object.keys(FACETS) as FacetName[]).filter((name) => FACETS[name].weight === "detail");

/** What may be left out of a comparison: whole steps, or what is said about them. */
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

export function toUnwanted(names: readonly string[]): Unwanted {
  const meant = names.flatMap((name) => IGNORABLE[name] ?? []);
  return { kinds: new Set(meant.flatMap(({ kinds = [] }) => kinds)), facets: new Set(meant.flatMap(({ facets = [] }) => facets)) };
}
