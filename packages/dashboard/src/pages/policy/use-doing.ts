import { useCallback, useRef, useState } from "react";
import { HubProblem } from "../../hub/ask.ts";

export interface Doing {
  readonly isBusy: boolean;
  /** Why the last thing did not work; undefined when it did. */
  readonly problem: string | undefined;
  /** Does something, unless something is being done. Gives whether it worked. */
  readonly run: (what: () => Promise<void>) => Promise<boolean>;
}

/** Something that a person does at the hub: once at a time, and what went wrong is told where it was done. */
export function useDoing(): Doing {
  const busy = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const run = useCallback(async (what: () => Promise<void>) => {
    if (busy.current) return false;
    busy.current = true;
    setBusy(true);
    setProblem(undefined);
    try {
      await what();
      return true;
    } catch (error) {
      setProblem(problemText(error));
      return false;
    } finally {
      busy.current = false;
      setBusy(false);
    }
  }, []);
  return { isBusy, problem, run };
}

export function problemText(error: unknown): string {
  if (error instanceof HubProblem) return [error.problem.message, error.problem.hint].filter(Boolean).join(" ");
  return error instanceof Error ? error.message : "That did not work.";
}
