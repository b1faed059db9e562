import type { ProblemCode, Severity } from "@earshot/protocol";
import type { FileProblem } from "../report.ts";

/**
 * All problems of one kind in one file or in one case of a conformance document. A thousand occurrences of one mistake form one group.
 */
export interface ProblemGroup {
  readonly severity: Severity;
  /** The rule, or the code for problems that break no rule. */
  readonly id: string;
  readonly rule?: string;
  readonly code: ProblemCode;
  readonly first: FileProblem;
  readonly rest: readonly FileProblem[];
}

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

export function problemIdOf(problem: FileProblem): string {
  return problem.rule ?? problem.code;
}

/** Errors first; within a severity, in order of first occurrence. */
export function groupProblems(problems: readonly FileProblem[]): readonly ProblemGroup[] {
  const groups = new Map<string, FileProblem[]>();
  for (const problem of problems) {
    const key = JSON.stringify([problem.severity, problemIdOf(problem), problem.case]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [problem]);
    else group.push(problem);
  }
  return [...groups.values()].flatMap(toGroup).sort((one, other) => RANK[one.severity] - RANK[other.severity]);
}

function toGroup([first, ...rest]: readonly FileProblem[]): readonly ProblemGroup[] {
  if (first === undefined) return [];
  const { severity, code, rule } = first;
  return [{ severity, id: problemIdOf(first), ...(rule === undefined ? {} : { rule }), code, first, rest }];
}
