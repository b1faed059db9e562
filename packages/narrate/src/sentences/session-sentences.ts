import type { Activity } from "@earshot/protocol/activities";
import type { SentenceContext } from "./call-sentences.ts";
import { allTokens, spokenCost, spokenTokens } from "./quantities.ts";
import { fileName, MAX_QUESTION_WORDS, MAX_WORDS_BY_VERBOSITY, spokenBeginning, spokenPerson } from "./reading.ts";
import { type Sentence, spokenDuration } from "./sentence.ts";

type Of<Kind extends Activity["kind"]> = Extract<Activity, { kind: Kind }>;

/** The three outcomes sound different, and the remedy for a failure is spoken at every verbosity. */
export function sessionClosedSentence(activity: Of<"session.closed">, telling: SentenceContext): Sentence {
  const { summary, verbosity, tongue } = telling;
  const { phrases, outcomes } = tongue.catalogue;
  const { outcome, error, result, hint, by, calls, durationMs } = activity;
  const told = summary ?? spokenBeginning(outcome === "failed" ? error : result, MAX_WORDS_BY_VERBOSITY[verbosity], tongue);
  const who = outcome === "cancelled" ? spokenPerson(by, tongue) : undefined;
  const isDetailed = verbosity === "detailed";
  return {
    verb: outcomes[outcome](who),
    own: [told, spokenBeginning(hint, MAX_QUESTION_WORDS, tongue)],
    ours: [
      isDetailed ? spokenDuration(durationMs, "took", tongue) : undefined,
      isDetailed && calls !== undefined && calls > 0 ? phrases.calls(calls) : undefined,
      ...spendingSentences(activity, telling),
    ],
  };
}

/** The cost: always at a session's end, otherwise at the highest verbosity, where tokens are included. */
export function spendingSentences(activity: Activity, { verbosity, tongue }: SentenceContext): readonly (string | undefined)[] {
  const { catalogue } = tongue;
  const { words } = catalogue;
  const { costUsd, tokens, context, kind } = activity;
  const isDetailed = verbosity === "detailed";
  const isEnd = kind === "session.closed";
  // The cost of the last step is not the session's cost.
  const counts = ({ counts: which }: { readonly counts: string }) => !isEnd || which === "total";
  const cost = costUsd !== undefined && counts(costUsd) && costUsd.value > 0 ? costUsd.value : undefined;
  const used = tokens !== undefined && counts(tokens) ? allTokens(tokens) : undefined;
  return [
    cost !== undefined && (isDetailed || (isEnd && verbosity === "normal")) ? words.cost(spokenCost(cost, catalogue)) : undefined,
    isDetailed && used !== undefined && used > 0 ? words.used(spokenTokens(used, catalogue)) : undefined,
    isDetailed && context?.percent !== undefined ? words.contextFull(Math.round(context.percent)) : undefined,
  ];
}

export function progressSentence(activity: Of<"progress">, { summary, tongue }: SentenceContext): Sentence {
  const { words } = tongue.catalogue;
  const { percent, step, steps, remainingMs } = activity;
  const verb =
    percent !== undefined
      ? words.percent(Math.round(percent))
      : step === undefined
        ? words.goesOn
        : steps === undefined
          ? words.step(step)
          : words.stepOf(step, steps);
  return { verb, own: [summary], ours: [spokenDuration(remainingMs, "left", tongue)] };
}

/** The number of steps, finished steps, and the next one. */
export function plannedSentence({ items, text }: Of<"plan">, { summary, verbosity, tongue }: SentenceContext): Sentence {
  const { words } = tongue.catalogue;
  if (items.length === 0) return { verb: words.plan, own: [summary ?? spokenBeginning(text, MAX_WORDS_BY_VERBOSITY[verbosity], tongue)] };
  const done = items.filter(({ status }) => /^(?:completed?|done|finished)$/i.test(status ?? "")).length;
  const now = items.find(({ status }) => /^(?:in[_ -]?progress|active|running|doing)$/i.test(status ?? ""))?.text;
  const next = verbosity === "terse" ? undefined : spokenBeginning(now, MAX_WORDS_BY_VERBOSITY.terse, tongue);
  return {
    verb: words.planOf(items.length),
    own: [summary],
    ours: [done === 0 ? undefined : words.planDone(done), next === undefined || summary !== undefined ? undefined : words.planNow(next)],
  };
}

export function workspaceChangedSentence({ path, change = "" }: Of<"workspace.changed">, { tongue }: SentenceContext): Sentence {
  const { words } = tongue.catalogue;
  const verb = /creat|add|new/i.test(change) ? words.createdFile : /delet|remov/i.test(change) ? words.deletedFile : words.changedFile;
  return { verb: verb(fileName(path, tongue)) };
}
