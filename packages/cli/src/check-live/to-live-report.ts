import { AAEP, CATALOGUE } from "@earshot/protocol";
import type { LiveFinding } from "./live-finding.ts";
import type { LiveReport, ScenarioReport } from "./live-report.ts";

export type Drawn = Pick<
  LiveReport,
  "role" | "peer" | "transport" | "level" | "strict" | "requiresAll" | "scenarios" | "events" | "durationMs"
> & {
  /** Rules that are about this side of the conversation, and can be shown at all. */
  readonly asked: readonly string[];
};

/** Puts the scenarios together: what was shown in one of them is shown. */
export function toLiveReport({ asked, ...drawn }: Drawn): LiveReport {
  const { level, scenarios, strict, requiresAll } = drawn;
  const seen = new Set(scenarios.flatMap((scenario) => scenario.shown));
  const shown = asked.filter((id) => seen.has(id));
  const broken = scenarios.some((scenario) => scenario.findings.some((finding) => counts(finding, strict)));
  const missing = requiresAll && scenarios.some((scenario) => scenario.outcome === "not-shown");
  return {
    ...drawn,
    ok: !broken && !missing,
    levelName: AAEP.levels.find((one) => one.level === level)?.name ?? "",
    catalogue: CATALOGUE,
    shown,
    notShown: asked.filter((id) => !seen.has(id)),
  };
}

export function counts({ severity }: LiveFinding, strict: boolean): boolean {
  return severity === "error" || (strict && severity === "warning");
}

/** A scenario with an error failed, whatever else happened; one that could not be reached passed nothing. */
export function outcomeOf(findings: readonly LiveFinding[], reason: string | undefined, strict: boolean): ScenarioReport["outcome"] {
  if (findings.some((finding) => counts(finding, strict))) return "failed";
  return reason === undefined ? "passed" : "not-shown";
}

const MOST_OF_ONE_RULE = 3;

/** The same rule broken over and over is told a few times. */
export function thinned(findings: readonly LiveFinding[]): readonly LiveFinding[] {
  const times = new Map<string, number>();
  const said = new Set<string>();
  return findings.filter(({ rule, message }) => {
    const key = `${rule} ${message}`;
    if (said.has(key)) return false;
    said.add(key);
    const before = times.get(rule) ?? 0;
    times.set(rule, before + 1);
    return before < MOST_OF_ONE_RULE;
  });
}
