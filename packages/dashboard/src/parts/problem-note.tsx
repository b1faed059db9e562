import type { ReactNode } from "react";
import type { HubProblem } from "../hub/request-as-device.ts";

/** The hub's error message. An unreachable hub is reported once, at the top of the page. */
export function ProblemNote({ problem }: { readonly problem: HubProblem | undefined }): ReactNode {
  if (problem === undefined || problem.isAway) return null;
  return (
    <p className="problem">
      {problem.problem.message} {problem.problem.hint}
    </p>
  );
}
