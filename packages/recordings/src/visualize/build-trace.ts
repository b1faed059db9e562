import type { Readable } from "node:stream";
import { EarshotError, type Problem, type ProtocolName, type ProtocolReading, type Severity } from "@earshot/protocol";
import { type Activity, readActivities } from "@earshot/protocol/activities";
import { Checker } from "../check/checker.ts";
import { type ReadProgress, readRecording } from "../check/recording.ts";
import type { FileProblem } from "../check/report.ts";
import { shortenLabel } from "./fold/briefly.ts";
import { arrangeSections } from "./fold/families.ts";
import { PlaceTable } from "./fold/place-table.ts";
import { SectionTable } from "./fold/section-table.ts";
import type { RecordingTrace, TraceMoment, Violation } from "./trace.ts";

export interface TraceOptions {
  /** The file, or the session in the hub. */
  readonly title: string;
  readonly protocol?: ProtocolName | "auto";
  /** Limits the trace to this session and its subagents' sessions. */
  readonly session?: string;
}

/** Ids remembered exactly: fewer than for `check`, which has no picture to keep in memory. */
const ID_CAPACITY = 500_000;

/** Reads a recording and builds its trace in memory that does not depend on its length. Throws if it cannot be read. */
export async function buildTrace(source: string | Readable, options: TraceOptions, progress?: ReadProgress): Promise<RecordingTrace> {
  const builder = new TraceBuilder(options);
  await readRecording(source, builder, progress);
  return builder.end();
}

/** Builds a trace from events in one pass, checked by the same rules as `earshot check`. */
export class TraceBuilder {
  readonly #options: TraceOptions;
  readonly #checker: Checker;
  readonly #places = new PlaceTable();
  readonly #sections: SectionTable;
  readonly #violations = new ViolationList();
  #entry = 0;
  #line = 0;
  #unreadable = 0;
  #isPlaced = false;

  constructor(options: TraceOptions) {
    this.#options = options;
    this.#sections = new SectionTable(options.session);
    this.#checker = new Checker({
      file: options.title,
      protocol: options.protocol ?? "auto",
      measureCoverage: false,
      baseline: [],
      idCapacity: ID_CAPACITY,
      handles: (reading) => this.#hearReading(reading),
      reports: (problem) => this.#hearProblem(problem),
    });
  }

  /** Adds one event as text; `line` is its first line. The checker gets the entry number instead, which is unique per event. */
  handle(text: string, line: number, sizeBytes: number): void {
    this.#next(line);
    this.#checker.handle(text, this.#entry, sizeBytes);
  }

  /** Adds a line that could not be read. */
  refuse(problem: Problem, line: number): void {
    this.#next(line);
    this.#checker.refuse(problem, this.#entry);
  }

  end(): RecordingTrace {
    const report = this.#checker.end();
    if (report.events + report.messages + this.#unreadable === 0)
      throw new EarshotError({ code: "FILE_EMPTY", message: "There is no event in it." });
    this.#sections.mustHaveFound();
    const { sections, indexes, notes } = arrangeSections(this.#sections.folds());
    return {
      title: this.#options.title,
      protocols: this.#checker.protocols(),
      events: report.events,
      messages: report.messages,
      unreadable: this.#unreadable,
      sections,
      leftOut: this.#sections.leftOut(),
      violations: this.#violations.all(indexes),
      counts: this.#violations.counts,
      notes: [...report.notes, ...notes],
    };
  }

  #next(line: number): void {
    this.#entry++;
    this.#line = line;
    this.#isPlaced = false;
  }

  #hearReading(reading: ProtocolReading): void {
    const { protocol, value, type, kind } = reading;
    const place = { session: reading.sessionId ?? "", agent: reading.agentId ?? "", type, kind };
    const activities: readonly Activity[] = readActivities(protocol, value, place);
    const number = this.#sections.numberFor(reading, activities);
    this.#isPlaced = true;
    const fold = this.#sections.fold(number);
    const at =
      fold === undefined
        ? { entry: this.#entry, line: this.#line }
        : fold.clock.tick(this.#entry, this.#line, activities[0]?.at, kind === "event");
    this.#places.put(number, at, shortenLabel(type));
    fold?.handle(activities, at, kind === "event");
  }

  /** Places an entry that is not an event in the section without a session, so that its problem can be marked there. */
  #placeUnread(): void {
    const number = this.#sections.beside();
    const at = { entry: this.#entry, line: this.#line };
    this.#places.put(number, at);
    const fold = this.#sections.fold(number);
    fold?.clock.tick(this.#entry, this.#line, undefined, false);
    fold?.handle([], at, false);
    this.#isPlaced = true;
    this.#unreadable++;
  }

  #hearProblem(problem: FileProblem): void {
    // A line that is not an event has no place yet.
    if (problem.line > 0 && problem.line === this.#entry && !this.#isPlaced) this.#placeUnread();
    const place = this.#places.find(problem.line);
    const fold = place === undefined ? undefined : this.#sections.fold(place.section);
    if (this.#options.session !== undefined && fold === undefined) return;
    if (place !== undefined) fold?.violated(place.at, problem.severity);
    const since = problem.since === undefined ? undefined : this.#places.find(problem.since)?.at.line;
    const { at: moment, section, type } = place ?? {};
    const drawn = fold === undefined || moment === undefined ? {} : { at: moment, fold: section };
    this.#violations.add(problem, { line: moment?.line ?? problem.line, since, type, ...drawn });
  }
}

/** Violations listed; all are counted. */
const LISTED = 2000;

type Draft = Omit<Violation, "number" | "section"> & { readonly fold?: number };

/** Where a problem was found, in lines of the file; the problem itself counts entries. */
interface Found {
  readonly line: number;
  readonly since?: number | undefined;
  readonly type?: string | undefined;
  readonly at?: TraceMoment | undefined;
  /** Number of the section, if it is drawn. */
  readonly fold?: number | undefined;
}

/** The problems found, bounded, in the order of the recording. */
class ViolationList {
  readonly counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  readonly #listed: Draft[] = [];

  add(problem: FileProblem, { line, since, type, at, fold }: Found): void {
    this.counts[problem.severity]++;
    if (this.#listed.length >= LISTED) return;
    const { severity, rule, code, message, hint, eventId, sessionId } = problem;
    this.#listed.push({
      severity,
      rule: rule ?? code,
      message: shortenLabel(message, 400),
      hint: shortenLabel(hint, 400),
      line,
      ...(eventId === undefined ? {} : { eventId: shortenLabel(eventId) }),
      ...(sessionId === undefined ? {} : { session: shortenLabel(sessionId) }),
      ...(type === undefined || type === "" ? {} : { type }),
      ...(since === undefined ? {} : { since }),
      ...(at === undefined ? {} : { at }),
      ...(fold === undefined ? {} : { fold }),
    });
  }

  /** `indexes`: the index of each fold's section. */
  all(indexes: readonly number[]): readonly Violation[] {
    return this.#listed
      .sort((a, b) => a.line - b.line || (a.at?.entry ?? 0) - (b.at?.entry ?? 0))
      .map(({ fold, ...violation }, index) => {
        const section = fold === undefined ? undefined : indexes[fold];
        return { ...violation, number: index + 1, ...(section === undefined ? {} : { section }) };
      });
  }
}
