import type { Readable } from "node:stream";
import { type Coverage, EarshotError, ID_CAPACITY, PROTOCOLS, type ProtocolName } from "@earshot/protocol";
import type { Baseline } from "./baseline.ts";
import { Checker } from "./checker.ts";
import { readRecording } from "./recording.ts";
import type { FileReport } from "./report.ts";

export interface CheckOptions {
  readonly protocol: ProtocolName | "auto";
  readonly level: 1 | 2 | 3 | undefined;
  readonly strict: boolean;
  readonly requireCoverage: boolean;
  readonly baseline: Baseline;
  readonly idCapacity?: number;
}

export type CheckProgress = (file: string, bytes: number) => void;

/** What checking one file gave. A plain value: it may come from another thread. */
export interface FileOutcome {
  readonly report: FileReport;
  /** The protocols that were seen, with what was put to the test of the level asked for. */
  readonly protocols: readonly { readonly name: ProtocolName; readonly coverage: Coverage | undefined }[];
  readonly usedEntries: readonly number[];
  readonly unreadable: boolean;
}

/** Checks one file as a recording of its own. */
export async function checkFile(
  file: string,
  source: string | Readable,
  options: CheckOptions,
  progress?: (bytes: number) => void,
): Promise<FileOutcome> {
  const { protocol, level, strict, baseline, idCapacity = ID_CAPACITY } = options;
  const checker = new Checker({ file, protocol, measureCoverage: level !== undefined, baseline, idCapacity });
  let unreadable = false;
  try {
    await readRecording(source, checker, progress);
  } catch (error) {
    if (!EarshotError.is(error)) throw error;
    unreadable = true;
    checker.refuse(error.problem, 0);
  }
  const report = checker.end();
  const names = checker.protocols();
  const short = names.some((name) => {
    const asked = levelOf(name, level);
    return asked !== undefined && checker.fallsShortOf(name, asked);
  });
  return {
    report: { ...report, ok: report.counts.error === 0 && !short && !(strict && report.counts.warning > 0) },
    protocols: names.map((name) => ({ name, coverage: level === undefined ? undefined : checker.coverage(name, level) })),
    usedEntries: checker.usedEntries(),
    // A recording without an event cannot be judged, which is not the same as conforming.
    unreadable: unreadable || report.problems.some((problem) => problem.code === "FILE_EMPTY"),
  };
}

export function levelOf(name: ProtocolName, level: number | undefined) {
  return PROTOCOLS[name].levels.find((one) => one.level === level);
}
