import type { Grade, Listed, SessionView } from "@earshot/hub";
import { useEffect, useState } from "react";
import { ask, type HubProblem } from "../../hub/ask.ts";
import { useRead } from "../../hub/use-hub.ts";

export interface Checked {
  /** Undefined until they are known. */
  readonly sessions: readonly SessionView[] | undefined;
  readonly problem: HubProblem | undefined;
}

/** The sessions to show: the latest, or one by its key; with a rule, those of them that broke one whose name has that in it. */
export function useChecked(key: string, rule: string): Checked {
  const heard = { changes: (news: { readonly entries: readonly unknown[] }) => news.entries.length > 0, everyMs: 3000 };
  const latest = useRead<Listed<SessionView>>(key === "" ? "/api/sessions?limit=100" : undefined, heard);
  const one = useRead<SessionView>(key === "" ? undefined : `/api/sessions/${encodeURIComponent(key)}`, heard);
  const found = key === "" ? latest.answer?.items : one.answer === undefined ? undefined : [one.answer];
  // Of one session everything is shown, and the rule is marked.
  const breakers = useBreakers(key === "" && rule !== "" ? found : undefined, rule);
  return { sessions: key === "" && rule !== "" ? breakers : found, problem: key === "" ? latest.problem : one.problem };
}

/** Which rules a session broke is read one session at a time: the hub has other things to do. */
function useBreakers(sessions: readonly SessionView[] | undefined, rule: string): readonly SessionView[] | undefined {
  const [broken, setBroken] = useState<ReadonlyMap<number, Known>>(new Map());
  const flagged = sessions?.filter(({ counts }) => counts.flags > 0);
  const next = flagged?.find(({ key, counts }) => broken.get(key)?.flags !== counts.flags);
  const [nextKey, flags] = [next?.key, next?.counts.flags ?? 0];
  useEffect(() => {
    if (nextKey === undefined) return;
    let isGone = false;
    const keep = (rules: readonly string[]) => {
      if (!isGone) setBroken((before) => new Map(before).set(nextKey, { flags, rules }));
    };
    ask<Grade>("GET", `/api/sessions/${nextKey}/grade`).then(
      (grade) => keep(grade.rules.map((one) => one.rule)),
      () => keep([]), // removed meanwhile, or the hub is away: the list is read again then
    );
    return () => {
      isGone = true;
    };
  }, [nextKey, flags]);
  const isKnown = flagged?.every(({ key }) => broken.has(key)) === true;
  return isKnown ? flagged?.filter(({ key }) => broken.get(key)?.rules.some((one) => one.includes(rule)) === true) : undefined;
}

interface Known {
  /** How many findings there were when it was read. */
  readonly flags: number;
  readonly rules: readonly string[];
}
