import type { Readable } from "node:stream";
import { CATALOGUE, EarshotError, PROTOCOLS, type ProtocolName } from "@earshot/protocol";
import type { Baseline } from "./baseline.ts";
import { Checker } from "./checker.ts";
import { readRecording } from "./recording.ts";
import type { CheckReport, CoverageReport, FileReport } from "./report.ts";

export interface CheckOptions {
  readonly protocol: ProtocolName | "auto";
  readonly level?: 1 | 2 | 3;
  readonly strict: boolean;
  readonly requireCoverage: boolean;
  readonly baseline?: Baseline;
}

export interface CheckRun {
  readonly report: CheckReport;
  /** At least one file could not be read at all. */
  readonly unreadable: boolean;
}

export interface CheckSource {
  readonly file: string;
  readonly open: () => string | Readable;
}

/** Checks each file as a recording of its own and puts the results together. */
export async function runCheck(
  sources: readonly CheckSource[],
  options: CheckOptions,
  progress: (file: string, bytes: number) => void = () => {},
): Promise<CheckRun> {
  const files: FileReport[] = [];
  const checkers: Checker[] = [];
  let unreadable = false;
  for (const { file, open } of sources) {
    const { baseline } = options;
    const checker = new Checker({
      file,
      protocol: options.protocol,
      measureCoverage: options.level !== undefined,
      ...(baseline === undefined ? {} : { accept: (problem) => baseline.accepts(file, problem) }),
    });
    checkers.push(checker);
    try {
      await readRecording(open(), checker, (bytes) => progress(file, bytes));
      files.push(finish(checker, options));
    } catch (error) {
      if (!EarshotError.is(error)) throw error;
      unreadable = true;
      checker.refuse(error.problem, 0);
      files.push(finish(checker, options));
    }
  }
  const coverage = options.level === undefined ? [] : coverageOf(checkers, options.level, options.requireCoverage);
  const covered = !options.requireCoverage || coverage.every((one) => one.notExercised.length === 0);
  const report: CheckReport = {
    ok: files.every((file) => file.ok) && covered,
    protocol: protocolOf(files),
    catalogue: CATALOGUE,
    strict: options.strict,
    files,
    coverage,
    notes: notesOf(checkers, options),
  };
  return { report, unreadable };
}

function finish(checker: Checker, options: CheckOptions): FileReport {
  const report = checker.end();
  const warningsCount =
    options.strict ||
    checker.protocols().some((name) => levelOf(name, options.level)?.warningsCount === true && checker.warningsOf(name) > 0);
  return { ...report, ok: report.counts.error === 0 && !(warningsCount && report.counts.warning > 0) };
}

function levelOf(name: ProtocolName, level: number | undefined) {
  return PROTOCOLS[name].levels.find((one) => one.level === level);
}

function coverageOf(checkers: readonly Checker[], level: 1 | 2 | 3, required: boolean): CoverageReport[] {
  const reports: CoverageReport[] = [];
  for (const protocol of protocolsOf(checkers)) {
    const levelName = levelOf(protocol, level)?.name;
    if (levelName === undefined) continue;
    // Several recordings together may cover a level: a clause is exercised when one of them does.
    const parts = checkers.flatMap((checker) => checker.coverage(protocol, level) ?? []);
    const exercised = new Set(parts.flatMap((part) => part.exercised));
    const first = parts[0];
    if (first === undefined) continue;
    reports.push({
      protocol,
      level,
      levelName,
      exercised: Object.keys(PROTOCOLS[protocol].rules).filter((id) => exercised.has(id)),
      notExercised: [...first.exercised, ...first.notExercised].filter((id) => !exercised.has(id)),
      liveOnly: first.liveOnly,
      required,
    });
  }
  return reports;
}

function notesOf(checkers: readonly Checker[], options: CheckOptions): string[] {
  const notes: string[] = [];
  if (options.level !== undefined && protocolsOf(checkers).includes("aop")) {
    notes.push("AOP defines no conformance levels: its events were checked against all of its rules, and --level has no effect on them.");
  }
  for (const name of protocolsOf(checkers)) {
    const level = levelOf(name, options.level);
    if (level?.warningsCount === true)
      notes.push(`${name.toUpperCase()} level ${level.level} (${level.name}) allows no warnings, so they count here.`);
  }
  for (const entry of options.baseline?.unused() ?? [])
    notes.push(`The baseline accepts ${entry.rule}, which was not found: the entry can be deleted.`);
  return notes;
}

function protocolsOf(checkers: readonly Checker[]): ProtocolName[] {
  return [...new Set(checkers.flatMap((checker) => checker.protocols()))];
}

function protocolOf(files: readonly FileReport[]): CheckReport["protocol"] {
  const names = new Set(files.map((file) => file.protocol).filter((name) => name !== "none"));
  const [only] = names;
  return names.size === 1 && only !== undefined ? only : names.size === 0 ? "none" : "mixed";
}
