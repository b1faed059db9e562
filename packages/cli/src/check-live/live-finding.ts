import { AAEP, type Finding, type Severity, toProblem } from "@earshot/protocol";

/** A rule that a live peer broke. */
export interface LiveFinding {
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint: string;
  readonly section: string;
  readonly eventId?: string;
  readonly sessionId?: string;
  readonly pointer?: string;
}

export interface Place {
  readonly eventId?: string | undefined;
  readonly sessionId?: string | undefined;
}

/** Severity, hint and section come from the catalogue: a rule lives once. */
export function toLiveFinding(finding: Finding, { eventId, sessionId }: Place = {}): LiveFinding {
  const rule = AAEP.rules[finding.rule];
  if (rule === undefined) throw new Error(`The rule ${finding.rule} is not in the catalogue.`);
  const { severity, message, pointer, hint = "" } = toProblem(finding, rule);
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
