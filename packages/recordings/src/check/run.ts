import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { CATALOGUE_EDITION, PROTOCOLS, type ProtocolName } from "@earshot/protocol";
import { type CheckFileOptions, type CheckProgress, checkRecordingFile, type FileOutcome, levelOf } from "./check-file.ts";
import type { CheckReport, CoverageReport } from "./report.ts";
import { checkInThreads } from "./threads.ts";

export interface CheckRun {
  readonly report: CheckReport;
  /** At least one file could not be read at all. */
  readonly unreadable: boolean;
}

export const STANDARD_INPUT = "(standard input)";

/** Total size from which several files are checked in parallel threads. Below it, a thread costs more than it saves. */
const THREADS_FROM_BYTES = 16e6;
/** Size from which a single file is checked in a thread: a thread's memory can be limited, but starting it takes time. */
const SINGLE_FROM_BYTES = 128e6;

/** Checks each file as a separate recording, in threads above a size limit, and merges the results. */
export async function runCheck(
  files: readonly string[],
  stdin: Readable,
  options: CheckFileOptions,
  progress: CheckProgress = () => {},
): Promise<CheckRun> {
  const useThreads = !files.includes("-") && (await totalBytes(files)) >= (files.length > 1 ? THREADS_FROM_BYTES : SINGLE_FROM_BYTES);
  const outcomes = useThreads ? await checkInThreads(files, options, progress) : await checkInTurn(files, stdin, options, progress);
  const coverage = options.level === undefined ? [] : coverageOf(outcomes, options.level, options.requireCoverage);
  const covered = !options.requireCoverage || coverage.every((one) => one.notExercised.length === 0);
  const report: CheckReport = {
    ok: outcomes.every((outcome) => outcome.report.ok) && covered,
    protocol: protocolOf(outcomes),
    catalogue: CATALOGUE_EDITION,
    strict: options.strict,
    files: outcomes.map((outcome) => outcome.report),
    coverage,
    notes: notesOf(outcomes, options),
  };
  return { report, unreadable: outcomes.some((outcome) => outcome.unreadable) };
}

export async function totalBytes(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        (info) => info.size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function checkInTurn(
  files: readonly string[],
  stdin: Readable,
  options: CheckFileOptions,
  progress: CheckProgress,
): Promise<FileOutcome[]> {
  const outcomes: FileOutcome[] = [];
  for (const file of files) {
    const name = file === "-" ? STANDARD_INPUT : file;
    outcomes.push(await checkRecordingFile(name, file === "-" ? stdin : file, options, (bytes) => progress(name, bytes)));
  }
  return outcomes;
}

function coverageOf(outcomes: readonly FileOutcome[], level: 1 | 2 | 3, required: boolean): CoverageReport[] {
  const reports: CoverageReport[] = [];
  for (const protocol of protocolsOf(outcomes)) {
    const levelName = levelOf(protocol, level)?.name;
    // Several recordings can cover a level together: a clause is exercised if at least one of them exercises it.
    const parts = outcomes.flatMap((outcome) =>
      outcome.protocols.flatMap((one) => (one.name === protocol && one.coverage !== undefined ? [one.coverage] : [])),
    );
    const [first] = parts;
    if (levelName === undefined || first === undefined) continue;
    const exercised = new Set(parts.flatMap((part) => part.exercised));
    const decidable = Object.keys(PROTOCOLS[protocol].rules).filter(
      (id) => first.exercised.includes(id) || first.notExercised.includes(id),
    );
    reports.push({
      protocol,
      level,
      levelName,
      exercised: decidable.filter((id) => exercised.has(id)),
      notExercised: decidable.filter((id) => !exercised.has(id)),
      liveOnly: first.liveOnly,
      required,
    });
  }
  return reports;
}

function notesOf(outcomes: readonly FileOutcome[], options: CheckFileOptions): string[] {
  const notes: string[] = [];
  const seen = protocolsOf(outcomes);
  if (options.level !== undefined && seen.includes("aop")) {
    notes.push("AOP defines no conformance levels: its events were checked against all of its rules, and --level has no effect on them.");
  }
  for (const name of seen) {
    const level = levelOf(name, options.level);
    if (level === undefined) continue;
    const counting = [...(level.warningsCount ? ["warnings"] : []), ...level.alsoCount];
    if (counting.length === 0) continue;
    notes.push(`At level ${level.level} of ${name.toUpperCase()} (${level.name}) these count as failures too: ${counting.join(", ")}.`);
  }
  const used = new Set(outcomes.flatMap((outcome) => outcome.usedEntries));
  options.baseline.forEach((entry, index) => {
    if (!used.has(index)) notes.push(`The baseline accepts ${entry.rule}, which was not found: the entry can be deleted.`);
  });
  return notes;
}

function protocolsOf(outcomes: readonly FileOutcome[]): ProtocolName[] {
  return [...new Set(outcomes.flatMap((outcome) => outcome.protocols.map((one) => one.name)))];
}

function protocolOf(outcomes: readonly FileOutcome[]): CheckReport["protocol"] {
  const [only, ...more] = protocolsOf(outcomes);
  return only === undefined ? "none" : more.length > 0 ? "mixed" : only;
}
