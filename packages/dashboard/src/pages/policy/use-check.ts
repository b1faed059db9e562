import type { PolicyCheck } from "@earshot/hub";
import { formatCount } from "@earshot/narrate";
import { useCallback, useEffect, useRef, useState } from "react";
import { announceInRegion } from "../../announce/regions.ts";
import { requestAsDevice } from "../../hub/request-as-device.ts";
import { withLineEndsOf } from "./place-in-text.ts";
import { problemText } from "./use-user-action.ts";

export interface CheckedText {
  readonly text: string;
  readonly check: PolicyCheck;
}

export interface PolicyCheckState {
  /** The last result, which may be for an earlier text. */
  readonly checked: CheckedText | undefined;
  readonly problem: string | undefined;
  /** Returns the result for exactly this text. */
  readonly checkNow: (text: string) => Promise<PolicyCheck>;
}

/** Typing counts as paused after this time without input. */
const PAUSE_MS = 400;

export interface PolicyCheckOptions {
  /** Hash of the active rules: when it changes, the result is stale. */
  readonly standing: string;
  /** The file to be replaced, which determines the line endings. */
  readonly original: string | null;
}

/** Checks a text while it is being edited. */
export function useCheck(text: string, { standing, original }: PolicyCheckOptions): PolicyCheckState {
  const [checked, setChecked] = useState<CheckedText>();
  const [problem, setProblem] = useState<string>();
  const lastTold = useRef<string>(undefined);
  const isFirst = useRef(true);

  /** Problems in the initial text are not announced: they are shown at their lines. */
  const take = useCallback((about: string, check: PolicyCheck, isTyped = true) => {
    setChecked({ text: about, check });
    setProblem(undefined);
    const told = inShort(check);
    if (isTyped && lastTold.current !== told) announceInRegion("polite", told);
    lastTold.current = told;
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: other rules that count are another question
  useEffect(() => {
    const stop = new AbortController();
    const isTyped = !isFirst.current;
    isFirst.current = false;
    const timer = setTimeout(
      () => {
        requestAsDevice<PolicyCheck>("POST", "/api/policy/check", { text: withLineEndsOf(original, text) }, stop.signal).then(
          (check) => take(text, check, isTyped),
          (error: unknown) => {
            if (!stop.signal.aborted) setProblem(problemText(error));
          },
        );
      },
      isTyped ? PAUSE_MS : 0,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text, standing, original, take]);

  const checkNow = useCallback(
    async (about: string) => {
      const check = await requestAsDevice<PolicyCheck>("POST", "/api/policy/check", { text: withLineEndsOf(original, about) });
      take(about, check);
      return check;
    },
    [take, original],
  );
  return { checked, problem, checkNow };
}

/** "2 errors. Line 8: There is no `anser` in a rule." */
export function inShort({ ok, troubles, rules }: PolicyCheck): string {
  const errors = troubles.filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (!ok && first !== undefined) return `${formatCount(errors.length, "error")}. Line ${first.line}: ${first.message}`;
  const warnings = troubles.length === 0 ? "" : `, ${formatCount(troubles.length, "warning")}`;
  return `No errors${warnings}. ${formatCount(rules, "rule")}.`;
}
