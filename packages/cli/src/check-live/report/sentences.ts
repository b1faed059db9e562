import type { LiveReport, Outcome, ScenarioReport } from "../live-report.ts";

/** The sentences that the report for the terminal and the page share. They contain nothing untrusted. */

export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = { passed: "passed", failed: "failed", "not-shown": "not shown" };

export function counted(count: number, word: string): string {
  return `${count.toLocaleString("en-US")} ${word}${count === 1 ? "" : "s"}`;
}

export function countOf(report: LiveReport, outcome: Outcome): number {
  return report.scenarios.filter((scenario) => scenario.outcome === outcome).length;
}

/** `Not passed: 3 of 33 scenarios failed, 2 were not shown.` */
export function verdict(report: LiveReport): string {
  const failed = countOf(report, "failed");
  const missing = countOf(report, "not-shown");
  const parts = [
    failed === 0
      ? `none of ${counted(report.scenarios.length, "scenario")} failed`
      : `${failed} of ${counted(report.scenarios.length, "scenario")} failed`,
    ...(missing === 0 ? [] : [`${missing} ${missing === 1 ? "was" : "were"} not shown${report.requiresAll ? ", which counts" : ""}`]),
  ];
  return `${report.ok ? "Passed" : "Not passed"}: ${parts.join(", ")}.`;
}

export function about(report: LiveReport): string {
  const heard = `${counted(report.events, "event")} in ${(report.durationMs / 1000).toFixed(1)} s`;
  return `Level ${report.level} of AAEP (${report.levelName}), as a ${report.role}, over ${report.transport}. ${heard}.`;
}

export function coverage(report: LiveReport): string {
  return `${counted(report.shown.length, "rule")} of this level put to the test, ${report.notShown.length} not.`;
}

/** Who judged, by what, and what it is not. */
export function closing({ catalogue }: LiveReport): string {
  return `Driven by Earshot's own scenarios and judged by its rule catalogue ${catalogue.version} (${catalogue.date}); this is not a certificate of the AAEP project, and not its conformance suite.`;
}

export function hasSomethingToSay({ outcome, findings }: ScenarioReport): boolean {
  return outcome !== "passed" || findings.length > 0;
}
