import type { Readable } from "node:stream";
import { type Coverage, DEFAULT_ID_CAPACITY, EarshotError, PROTOCOLS, type ProtocolName } from "@earshot/protocol";
import { type Baseline, findAccepting } from "./baseline.ts";
import { Checker } from "./checker.ts";
import { type ConformanceCase, compareWithCase, readConformanceDocument } from "./conformance-document.ts";
import { readRecording } from "./recording.ts";
import type { AcceptedProblem, FileProblem, FileReport } from "./report.ts";

export interface CheckFileOptions {
  readonly protocol: ProtocolName | "auto";
  readonly level: 1 | 2 | 3 | undefined;
  readonly strict: boolean;
  readonly requireCoverage: boolean;
  readonly baseline: Baseline;
  readonly idCapacity?: number;
}

export type CheckProgress = (file: string, bytes: number) => void;

/** The result of checking one file. A plain value, possibly from another thread. */
export interface FileOutcome {
  readonly report: FileReport;
  /** The protocols seen, with the tested rules of the requested level. */
  readonly protocols: readonly { readonly name: ProtocolName; readonly coverage: Coverage | undefined }[];
  readonly usedEntries: readonly number[];
  readonly unreadable: boolean;
}

/** Checks one file: a recording, or a conformance document, each case of which is a recording of its own. */
export async function checkRecordingFile(
  file: string,
  source: string | Readable,
  options: CheckFileOptions,
  progress?: (bytes: number) => void,
): Promise<FileOutcome> {
  const { protocol, level, strict, baseline, idCapacity = DEFAULT_ID_CAPACITY } = options;
  const checker = new Checker({ file, protocol, measureCoverage: level !== undefined, baseline, idCapacity });
  let unreadable = false;
  try {
    const document = typeof source === "string" ? await readConformanceDocument(source) : undefined;
    if (document !== undefined) return checkCases(file, document.cases, options);
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

/** Judges each case independently, and reports only what the case does not expect. */
function checkCases(file: string, cases: readonly ConformanceCase[], options: CheckFileOptions): FileOutcome {
  const { protocol, level, baseline, idCapacity = DEFAULT_ID_CAPACITY } = options;
  const protocols: FileOutcome["protocols"][number][] = [];
  const problems: FileProblem[] = [];
  const accepted: AcceptedProblem[] = [];
  const usedEntries = new Set<number>();
  const sum = { events: 0, messages: 0, sessions: 0 };
  let asExpected = 0;
  for (const one of cases) {
    const checker = new Checker({ file, protocol, measureCoverage: level !== undefined, baseline: [], idCapacity });
    for (const [index, line] of one.lines.entries()) checker.handle(line, index + 1, Buffer.byteLength(line));
    const report = checker.end();
    sum.events += report.events;
    sum.messages += report.messages;
    sum.sessions += report.sessions;
    protocols.push(
      ...checker.protocols().map((name) => ({ name, coverage: level === undefined ? undefined : checker.coverage(name, level) })),
    );
    const differences = compareWithCase(one, report.problems);
    if (differences.length === 0) asExpected++;
    for (const problem of differences) {
      const accepting = findAccepting(baseline, file, problem);
      const reason = baseline[accepting]?.reason;
      if (reason === undefined) problems.push(problem);
      else {
        usedEntries.add(accepting);
        accepted.push({ ...problem, reason });
      }
    }
  }
  const names = [...new Set(protocols.map(({ name }) => name))];
  return {
    report: {
      file,
      ok: problems.length === 0,
      protocol: names.length === 0 ? "none" : names.length === 1 ? (names[0] as ProtocolName) : "mixed",
      ...sum,
      counts: { error: problems.length, warning: 0, info: 0 },
      problems,
      omitted: 0,
      cases: { total: cases.length, asExpected },
      accepted,
      notes: [],
    },
    protocols,
    usedEntries: [...usedEntries],
    unreadable: false,
  };
}

export function levelOf(name: ProtocolName, level: number | undefined) {
  return PROTOCOLS[name].levels.find((one) => one.level === level);
}
