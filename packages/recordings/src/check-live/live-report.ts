import {
  AAEP,
  CATALOGUE_EDITION,
  CoverageMeter,
  createJudge,
  type Finding,
  findingToProblem,
  isObject,
  JSON_LIMITS,
  readJson,
  ruleOf,
  type Severity,
} from "@earshot/protocol";

/** The result of driving a live peer. Every output format renders this value and nothing else. */
export interface LiveReport {
  /** There are no errors; no warnings either if strict; and nothing unshown if that is required. */
  readonly ok: boolean;
  readonly role: "producer" | "subscriber";
  /** The URL or command that was driven, or the URL listened at. */
  readonly peer: string;
  readonly transport: string;
  readonly level: 1 | 2 | 3;
  readonly levelName: string;
  readonly catalogue: { readonly version: string; readonly date: string };
  readonly strict: boolean;
  readonly requiresAll: boolean;
  readonly scenarios: readonly ScenarioReport[];
  /** Tested and untested rules of the level. */
  readonly shown: readonly string[];
  readonly notShown: readonly string[];
  readonly events: number;
  readonly durationMs: number;
}

export type ScenarioOutcome = "passed" | "failed" | "not-shown";

export interface ScenarioReport {
  readonly name: string;
  readonly title: string;
  readonly level: 1 | 2 | 3;
  readonly outcome: ScenarioOutcome;
  /** Why it could not be shown. */
  readonly reason: string | undefined;
  readonly findings: readonly LiveReportFinding[];
  readonly shown: readonly string[];
}

/** A rule that a live peer broke. */
export interface LiveReportFinding {
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint: string;
  readonly section: string;
  readonly eventId?: string;
  readonly sessionId?: string;
  readonly pointer?: string;
}

export interface FindingPlace {
  readonly eventId?: string | undefined;
  readonly sessionId?: string | undefined;
}

/** Severity, hint and section come from the catalogue. */
export function toLiveFinding(finding: Finding, { eventId, sessionId }: FindingPlace = {}): LiveReportFinding {
  const rule = AAEP.rules[finding.rule];
  if (rule === undefined) throw new Error(`The rule ${finding.rule} is not in the catalogue.`);
  const { severity, message, pointer, hint = "" } = findingToProblem(finding, rule);
  return {
    rule: finding.rule,
    severity,
    message,
    hint,
    section: rule.section,
    ...(eventId === undefined ? {} : { eventId }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(pointer === undefined ? {} : { pointer }),
  };
}

export type LiveReportParts = Pick<
  LiveReport,
  "role" | "peer" | "transport" | "level" | "strict" | "requiresAll" | "scenarios" | "events" | "durationMs"
> & {
  /** Rules about this side of the conversation that can be tested. */
  readonly asked: readonly string[];
};

/** Combines the scenarios: a rule shown in one of them counts as shown. */
export function toLiveReport({ asked, ...drawn }: LiveReportParts): LiveReport {
  const { level, scenarios, strict, requiresAll } = drawn;
  const seen = new Set(scenarios.flatMap((scenario) => scenario.shown));
  const shown = asked.filter((id) => seen.has(id));
  const broken = scenarios.some((scenario) => scenario.findings.some((finding) => countsAsFailure(finding, strict)));
  const missing = requiresAll && scenarios.some((scenario) => scenario.outcome === "not-shown");
  return {
    ...drawn,
    ok: !broken && !missing,
    levelName: AAEP.levels.find((one) => one.level === level)?.name ?? "",
    catalogue: CATALOGUE_EDITION,
    shown,
    notShown: asked.filter((id) => !seen.has(id)),
  };
}

export function countsAsFailure({ severity }: LiveReportFinding, strict: boolean): boolean {
  return severity === "error" || (strict && severity === "warning");
}

/** A scenario with an error failed; one that could not be reached is not shown. */
export function scenarioOutcomeOf(
  findings: readonly LiveReportFinding[],
  reason: string | undefined,
  strict: boolean,
): ScenarioReport["outcome"] {
  if (findings.some((finding) => countsAsFailure(finding, strict))) return "failed";
  return reason === undefined ? "passed" : "not-shown";
}

const MAX_OF_ONE_RULE = 3;

/** Repetitions of the same violation are reduced. */
export function withoutRepetitions(findings: readonly LiveReportFinding[]): readonly LiveReportFinding[] {
  const times = new Map<string, number>();
  const said = new Set<string>();
  return findings.filter(({ rule, message }) => {
    const key = `${rule} ${message}`;
    if (said.has(key)) return false;
    said.add(key);
    const before = times.get(rule) ?? 0;
    times.set(rule, before + 1);
    return before < MAX_OF_ONE_RULE;
  });
}

export interface Conversation {
  /** Events and messages of both sides, in order. */
  readonly texts: readonly string[];
  /** Whether everything had time to end; otherwise nothing is reported as missing. */
  readonly whole: boolean;
  readonly level: number;
}

export interface JudgedConversation {
  readonly findings: readonly LiveReportFinding[];
  /** Rules decidable from a recording that this one tested. */
  readonly exercised: readonly string[];
  readonly events: number;
}

/** Judges one connection by the rules of recordings. */
export function judgeConversation({ texts, whole, level }: Conversation): JudgedConversation {
  const findings: LiveReportFinding[] = [];
  const meter = new CoverageMeter();
  let events = 0;
  const judge = createJudge(AAEP, {
    tell: ({ finding, eventId, sessionId }) => findings.push(toLiveFinding(finding, { eventId, sessionId })),
    idCapacity: 200_000,
  });
  texts.forEach((text, index) => {
    const read = readJson(text, JSON_LIMITS);
    if (!read.ok || !isObject(read.value)) return;
    const facts = { ...read.facts, sizeBytes: Buffer.byteLength(text) };
    const reading = AAEP.read(read.value, facts);
    if (reading.kind === "event") events++;
    meter.see(reading);
    judge.handle(reading, index + 1, facts);
  });
  if (whole) judge.end();
  return { findings, exercised: meter.report(AAEP, level).exercised, events };
}

/** Rules about a subscriber's behavior, which a producer cannot break; a subscriber cannot break the others. */
export function isRuleOfSubscribers(id: string): boolean {
  return ruleOf(id)?.side === "subscriber";
}
