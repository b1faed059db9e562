import type { LiveFinding } from "./live-finding.ts";

/** What driving a live peer showed. Every output format is a rendering of this value and of nothing else. */
export interface LiveReport {
  /** Nothing that counts was found: errors; warnings too when strict; what was not shown too when that is required. */
  readonly ok: boolean;
  readonly role: "producer" | "subscriber";
  /** The address or command that was driven, or the address that was listened at. */
  readonly peer: string;
  readonly transport: string;
  readonly level: 1 | 2 | 3;
  readonly levelName: string;
  readonly catalogue: { readonly version: string; readonly date: string };
  readonly strict: boolean;
  readonly requiresAll: boolean;
  readonly scenarios: readonly ScenarioReport[];
  /** Rules of the level: put to the test, and not. */
  readonly shown: readonly string[];
  readonly notShown: readonly string[];
  readonly events: number;
  readonly durationMs: number;
}

export type Outcome = "passed" | "failed" | "not-shown";

export interface ScenarioReport {
  readonly name: string;
  readonly title: string;
  readonly level: 1 | 2 | 3;
  readonly outcome: Outcome;
  /** Why it could not be shown. */
  readonly reason: string | undefined;
  readonly findings: readonly LiveFinding[];
  readonly shown: readonly string[];
}
