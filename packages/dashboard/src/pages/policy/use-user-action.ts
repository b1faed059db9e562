import { useCallback, useRef, useState } from "react";
import { HubProblem } from "../../hub/request-as-device.ts";

export interface UserAction {
  readonly isBusy: boolean;
  /** Why the last action failed; undefined if it succeeded. */
  readonly problem: string | undefined;
  /** Runs an action unless another is running. Resolves to whether it succeeded. */
  readonly run: (what: () => Promise<void>) => Promise<boolean>;
}

/** A user action at the hub: one at a time, with errors shown where it was triggered. */
export function useUserAction(): UserAction {
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
  return error instanceof Error ? error.message : "The action failed. Try again.";
}
