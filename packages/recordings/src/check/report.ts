import type { ProblemCode, ProtocolName, Rule, Severity } from "@earshot/protocol";

/** The result of `earshot check`. Every output format renders this value only. */
export interface CheckReport {
  /** True if there are no errors, no warnings in strict mode, and no missing coverage where coverage is required. */
  readonly ok: boolean;
  /** The protocol of all checked entries; `mixed` for several protocols, `none` if none was recognized. */
  readonly protocol: ProtocolName | "mixed" | "none";
  /** The rule catalogue that was applied. */
  readonly catalogue: { readonly version: string; readonly date: string };
  readonly strict: boolean;
  readonly files: readonly FileReport[];
  /** Present with --level: one report per protocol that has levels and occurred. */
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
  /** In line order and limited in number; `omitted` counts the rest. */
  readonly problems: readonly FileProblem[];
  readonly omitted: number;
  /** Present for a conformance document: the number of its cases, and of those with the expected result. */
  readonly cases?: { readonly total: number; readonly asExpected: number };
  /** Problems accepted by a baseline: listed separately, never counted. */
  readonly accepted: readonly AcceptedProblem[];
  /** Baseline entries without a match, which can be deleted. */
  readonly notes: readonly string[];
}

export interface FileProblem {
  readonly severity: Severity;
  readonly code: ProblemCode;
  readonly rule?: string;
  /** 1 is the first line. For a JSON array or a single object, the line on which the event begins. 0 stands for the whole file. */
  readonly line: number;
  readonly eventId?: string;
  readonly sessionId?: string;
  readonly pointer?: string;
  readonly message: string;
  readonly hint: string;
  /** The case of a conformance document. */
  readonly case?: string;
  /** Line of the earlier related event. */
  readonly since?: number;
}

export interface AcceptedProblem extends FileProblem {
  readonly reason: string;
}

/** The clauses of a level that the recordings exercise. */
export interface CoverageReport {
  readonly protocol: ProtocolName;
  readonly level: 1 | 2 | 3;
  readonly levelName: string;
  /** Rule ids. */
  readonly exercised: readonly string[];
  readonly notExercised: readonly string[];
  readonly liveOnly: readonly string[];
  /** Whether clauses that were not exercised fail the check. */
  readonly required: boolean;
}

/** All inputs of a rendering besides the report. */
export interface ReportContext {
  readonly ruleOf: (id: string) => Rule | undefined;
  /** The meaning of a code, for problems that break no rule. Without this function the code is shown. */
  readonly kindOf?: (code: ProblemCode) => { readonly title: string; readonly help: string } | undefined;
  /** The Earshot version. */
  readonly version: string;
  /** Whether the text may be colored. */
  readonly colour: boolean;
  /** Columns to fill; 0 without a terminal. */
  readonly width: number;
}

/** Pure: the same report and context produce the same bytes. The result ends with a newline. */
export type Renderer = (report: CheckReport, context: ReportContext) => string;
