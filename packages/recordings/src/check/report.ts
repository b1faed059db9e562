import type { ProblemCode, ProtocolName, Rule, Severity } from "@earshot/protocol";

/** What `earshot check` found. Every output format is a rendering of this value and of nothing else. */
export interface CheckReport {
  /** Nothing that counts was found: errors; warnings too when strict; missing coverage too when required. */
  readonly ok: boolean;
  /** The protocol of everything checked; `mixed` when several occur, `none` when nothing was recognised. */
  readonly protocol: ProtocolName | "mixed" | "none";
  /** The rule catalogue the recording was judged by. */
  readonly catalogue: { readonly version: string; readonly date: string };
  readonly strict: boolean;
  readonly files: readonly FileReport[];
  /** Given with --level, one per protocol that has levels and was seen. */
  readonly coverage: readonly CoverageReport[];
  /** Sentences about the run as a whole, for example that AOP has no levels. */
  readonly notes: readonly string[];
}

export interface FileReport {
  readonly file: string;
  readonly ok: boolean;
  readonly protocol: ProtocolName | "mixed" | "none";
  readonly events: number;
  /** Handshake messages, replies, hook responses and manifests between the events. */
  readonly messages: number;
  readonly sessions: number;
  readonly counts: Readonly<Record<Severity, number>>;
  /** In line order. At most a bounded number; `omitted` counts the rest. */
  readonly problems: readonly FileProblem[];
  readonly omitted: number;
  /** Given for a conformance document: its cases, and how many of them were judged as they expect. */
  readonly cases?: { readonly total: number; readonly asExpected: number };
  /** Problems that a baseline accepts: listed apart, never counted. */
  readonly accepted: readonly AcceptedProblem[];
  /** Baseline entries that matched nothing: they can be deleted. */
  readonly notes: readonly string[];
}

export interface FileProblem {
  readonly severity: Severity;
  readonly code: ProblemCode;
  readonly rule?: string;
  /** 1 is the first line; for a JSON array or a single object, the line on which the event begins. 0: the file as a whole. */
  readonly line: number;
  readonly eventId?: string;
  readonly sessionId?: string;
  readonly pointer?: string;
  readonly message: string;
  readonly hint: string;
  /** The case of a conformance document. */
  readonly case?: string;
  /** Line of the earlier event concerned. */
  readonly since?: number;
}

export interface AcceptedProblem extends FileProblem {
  readonly reason: string;
}

/** Which clauses of a level the recordings put to the test. */
export interface CoverageReport {
  readonly protocol: ProtocolName;
  readonly level: 1 | 2 | 3;
  readonly levelName: string;
  /** Rule ids. */
  readonly exercised: readonly string[];
  readonly notExercised: readonly string[];
  readonly liveOnly: readonly string[];
  /** Whether what was not exercised counts against the result. */
  readonly required: boolean;
}

/** Everything a rendering may depend on besides the report itself. */
export interface RenderContext {
  readonly ruleOf: (id: string) => Rule | undefined;
  /** What a code means, for problems that break no rule; without it the code stands for itself. */
  readonly kindOf?: (code: ProblemCode) => { readonly title: string; readonly help: string } | undefined;
  /** The version of Earshot. */
  readonly version: string;
  /** Whether the text may be coloured. */
  readonly colour: boolean;
  /** Columns to fill; 0 without a terminal. */
  readonly width: number;
}

/** Pure: the same report and context give the same bytes. The result ends with a newline. */
export type Renderer = (report: CheckReport, context: RenderContext) => string;
