import type { Severity } from "@earshot/protocol";
import type { FileProblem } from "../../check/report.ts";
import type { Moment, Violation } from "../trace.ts";
import { briefly } from "./briefly.ts";

/** Violations that are listed; all are counted. */
const LISTED = 2000;

type Draft = Omit<Violation, "number" | "section"> & { readonly fold?: number };

/** Where it was found: lines of the file, where the problem itself counts entries. */
export interface Found {
  readonly line: number;
  readonly since?: number | undefined;
  readonly type?: string | undefined;
  readonly at?: Moment | undefined;
  /** Number of the section, where it is drawn. */
  readonly fold?: number | undefined;
}

/** What was found, bounded, in the order of the recording. */
export class ViolationList {
  readonly counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  readonly #listed: Draft[] = [];

  add(problem: FileProblem, { line, since, type, at, fold }: Found): void {
    this.counts[problem.severity]++;
    if (this.#listed.length >= LISTED) return;
    const { severity, rule, code, message, hint, eventId, sessionId } = problem;
    this.#listed.push({
      severity,
      rule: rule ?? code,
      message: briefly(message, 400),
      hint: briefly(hint, 400),
      line,
      ...(eventId === undefined ? {} : { eventId: briefly(eventId) }),
      ...(sessionId === undefined ? {} : { session: briefly(sessionId) }),
      ...(type === undefined || type === "" ? {} : { type }),
      ...(since === undefined ? {} : { since }),
      ...(at === undefined ? {} : { at }),
      ...(fold === undefined ? {} : { fold }),
    });
  }

  /** `indexes`: the place of each fold among the sections. */
  all(indexes: readonly number[]): readonly Violation[] {
    return this.#listed
      .sort((a, b) => a.line - b.line || (a.at?.entry ?? 0) - (b.at?.entry ?? 0))
      .map(({ fold, ...violation }, index) => {
        const section = fold === undefined ? undefined : indexes[fold];
        return { ...violation, number: index + 1, ...(section === undefined ? {} : { section }) };
      });
  }
}
