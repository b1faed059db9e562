import { crc32 } from "node:zlib";
import {
  type BodyHash,
  type ConformanceLevel,
  type Coverage,
  CoverageMeter,
  createJudge,
  DEFAULT_ID_CAPACITY,
  findingToProblem,
  isObject,
  JSON_LIMITS,
  type JsonObject,
  type Judge,
  PROBLEMS,
  PROTOCOLS,
  type Problem,
  type Protocol,
  type ProtocolName,
  type ProtocolReading,
  type ReadingFacts,
  RecentMap,
  readJson,
  recogniseProtocol,
  ruleOf,
  type Severity,
  type TracedFinding,
  unwrapStream,
} from "@earshot/protocol";
import { type Baseline, findAccepting } from "./baseline.ts";
import type { AcceptedProblem, FileProblem, FileReport } from "./report.ts";

export interface CheckerOptions {
  readonly file: string;
  readonly protocol: ProtocolName | "auto";
  /** Collects which rules were tested. */
  readonly measureCoverage: boolean;
  readonly baseline: Baseline;
  /** Minimum number of remembered ids; less when several files are checked in parallel. */
  readonly idCapacity?: number;
  /** Called with each event before it is judged, and each problem, for further analysis. */
  readonly handles?: (reading: ProtocolReading, line: number) => void;
  readonly reports?: (problem: FileProblem) => void;
}

/** Maximum problems kept in full; more are counted, so that a garbage file does not fill the memory. */
const MAX_PROBLEMS = 10_000;

/**
 * Recognizes redelivered events. The native checksum of the text is fastest; where white space or nulls could make a meaningless
 * difference, the content is hashed. Equal events of one recording come from one writer, so both are hashed the same way.
 */
const hashBody: BodyHash = (value, text, compact, hasNull) =>
  crc32(compact && !hasNull ? text : (JSON.stringify(value, dropNull) ?? "")) | 0;

function dropNull(_key: string, member: unknown): unknown {
  return member === null ? undefined : member;
}

/** Checks one recording, line by line, in constant memory. */
export class Checker {
  readonly #options: CheckerOptions;
  readonly #ids: RecentMap<number, number>;
  readonly #judges = new Map<ProtocolName, Judge>();
  readonly #coverage = new Map<ProtocolName, CoverageMeter>();
  readonly #problems: FileProblem[] = [];
  readonly #accepted: AcceptedProblem[] = [];
  readonly #counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  readonly #toldRules = new Map<string, Severity>();
  readonly #usedEntries = new Set<number>();
  #previous: Protocol | undefined;
  #previousJudge: Judge | undefined;
  #events = 0;
  #messages = 0;
  #omitted = 0;

  constructor(options: CheckerOptions) {
    this.#options = options;
    this.#ids = new RecentMap(options.idCapacity ?? DEFAULT_ID_CAPACITY);
  }

  /** One event as text; `line` is its first line. */
  handle(text: string, line: number, sizeBytes: number): void {
    const read = readJson(text, JSON_LIMITS, hashBody);
    if (!read.ok) {
      this.refuse(read.problem, line);
      return;
    }
    if (!isObject(read.value)) {
      this.refuse({ code: "NOT_AN_OBJECT", message: "The line is JSON, but not an object." }, line);
      return;
    }
    const { facts } = read;
    facts.sizeBytes = sizeBytes;
    this.#hearObject(read.value, line, facts);
  }

  /** Adds a line that could not be read. */
  refuse(problem: Problem, line: number): void {
    this.#keep({ severity: "error", ...problem, line, hint: problem.hint ?? PROBLEMS[problem.code].help });
  }

  end(): FileReport {
    for (const judge of this.#judges.values()) judge.end();
    const notes: string[] = this.#events === 1 && this.#messages === 0 ? [this.#judgeAlone()] : [];
    if (this.#ids.forgotten > 0) {
      const exact = (this.#options.idCapacity ?? DEFAULT_ID_CAPACITY).toLocaleString("en");
      notes.push(
        `The recording has more ids than are remembered: uniqueness was checked exactly against at least the last ${exact} at each point.`,
      );
    }
    let sessions = 0;
    for (const [name, judge] of this.#judges) {
      sessions += judge.sessions;
      if (judge.forgotten > 0) {
        notes.push(
          `${name.toUpperCase()}: ${judge.forgotten.toLocaleString("en")} sessions or parts of long sessions had to be forgotten; what contradicts one of them would not be noticed.`,
        );
      }
    }
    if (this.#events + this.#messages === 0 && this.#problems.length === 0) {
      this.refuse({ code: "FILE_EMPTY", message: "There is no event in it." }, 0);
    }
    const problems = this.#problems.sort((a, b) => a.line - b.line);
    return {
      file: this.#options.file,
      ok: this.#counts.error === 0,
      protocol: this.#protocol(),
      events: this.#events,
      messages: this.#messages,
      sessions,
      counts: this.#counts,
      problems,
      omitted: this.#omitted,
      accepted: this.#accepted,
      notes,
    };
  }

  /** One event is no recording: rules between events are left out. */
  #judgeAlone(): string {
    const alone = this.#problems.filter(({ rule }) => rule === undefined || ruleOf(rule)?.decided === "event");
    for (const { severity, rule } of this.#problems.filter((problem) => !alone.includes(problem))) {
      this.#counts[severity]--;
      if (rule !== undefined) this.#toldRules.delete(rule);
    }
    this.#problems.splice(0, this.#problems.length, ...alone);
    const what = this.#counts.error === 0 ? "Valid, not a complete session" : "Not a complete session";
    return `${what}: there is one event, so nothing was checked between events.`;
  }

  /** Baseline entries that accepted something. */
  usedEntries(): readonly number[] {
    return [...this.#usedEntries];
  }

  /** Whether anything keeps the recording from a level without being an error. */
  fallsShortOf(protocol: ProtocolName, level: ConformanceLevel): boolean {
    for (const [rule, severity] of this.#toldRules) {
      if (!rule.startsWith(`${protocol}/`)) continue;
      if ((level.warningsCount && severity === "warning") || level.alsoCount.includes(rule)) return true;
    }
    return false;
  }

  protocols(): readonly ProtocolName[] {
    return [...this.#judges.keys()];
  }

  coverage(protocol: ProtocolName, level: number): Coverage | undefined {
    return this.#coverage.get(protocol)?.report(PROTOCOLS[protocol], level);
  }

  #hearObject(value: JsonObject, line: number, facts: ReadingFacts): void {
    const { protocol: wanted } = this.#options;
    const mayBeFramed = (value["kind"] !== undefined || value["type"] === "connected") && (wanted === "auto" || wanted === "aop");
    const inner = mayBeFramed ? unwrapStream(value) : value;
    if (inner === undefined) return; // a frame of a collector's stream that carries no event
    const innerFacts = inner !== value ? { ...facts, bodyHash: crc32(JSON.stringify(inner, dropNull)) | 0 } : facts;
    const protocol = wanted === "auto" ? recogniseProtocol(inner, this.#previous) : PROTOCOLS[wanted];
    if (protocol === undefined) {
      this.refuse({ code: "PROTOCOL_UNKNOWN", message: "The object is no event or message of AAEP, AEP or AOP." }, line);
      return;
    }
    if (protocol !== this.#previous) {
      this.#previous = protocol;
      this.#previousJudge = this.#judgeOf(protocol);
    }
    const reading = protocol.read(inner, innerFacts);
    if (reading.kind === "event") this.#events++;
    else this.#messages++;
    if (this.#options.measureCoverage) this.#coverage.get(protocol.name)?.see(reading);
    this.#options.handles?.(reading, line);
    this.#previousJudge?.handle(reading, line, innerFacts);
  }

  #judgeOf(protocol: Protocol): Judge {
    const known = this.#judges.get(protocol.name);
    if (known !== undefined) return known;
    const judge = createJudge(protocol, { tell: (told) => this.#report(protocol, told), ids: this.#ids });
    this.#judges.set(protocol.name, judge);
    if (this.#options.measureCoverage) this.#coverage.set(protocol.name, new CoverageMeter());
    return judge;
  }

  #report(protocol: Protocol, told: TracedFinding): void {
    const { finding, at, eventId, sessionId } = told;
    const rule = protocol.rules[finding.rule];
    if (rule === undefined) throw new Error(`The rule ${finding.rule} is not in the catalogue.`);
    const problem = findingToProblem(finding, rule);
    const kept = this.#keep({
      ...problem,
      line: at,
      hint: problem.hint ?? "",
      ...(eventId === undefined ? {} : { eventId }),
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(finding.since === undefined || finding.since === at ? {} : { since: finding.since }),
    });
    if (kept) this.#toldRules.set(finding.rule, problem.severity);
  }

  #keep(problem: FileProblem): boolean {
    const { baseline, file } = this.#options;
    const accepting = baseline.length === 0 ? -1 : findAccepting(baseline, file, problem);
    const entry = baseline[accepting];
    if (entry !== undefined) {
      this.#usedEntries.add(accepting);
      if (this.#accepted.length < MAX_PROBLEMS) this.#accepted.push({ ...problem, reason: entry.reason });
      return false;
    }
    this.#counts[problem.severity]++;
    this.#options.reports?.(problem);
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(problem);
    else this.#omitted++;
    return true;
  }

  #protocol(): FileReport["protocol"] {
    const names = this.protocols();
    return names.length === 0 ? "none" : names.length === 1 ? (names[0] as ProtocolName) : "mixed";
  }
}
