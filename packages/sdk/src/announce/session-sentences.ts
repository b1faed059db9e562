import type { Activity } from "@earshot/translate";
import type { Telling } from "./call-sentences.ts";
import { fill, fillCounted } from "./fill.ts";
import { allTokens, costAloud, tokensAloud } from "./quantities.ts";
import { fileName, MOST_ASKED, MOST_WORDS, readAloud, whoAloud } from "./reading.ts";
import { type Sentence, timeAloud } from "./sentence.ts";

type Of<Kind extends Activity["kind"]> = Extract<Activity, { kind: Kind }>;

/** The three ends sound different, and what to do about a failure is said at every verbosity. */
export function closed(activity: Of<"session.closed">, telling: Telling): Sentence {
  const { summary, verbosity, tongue } = telling;
  const { words, phrases, outcomes, language } = tongue.catalogue;
  const { outcome, error, result, hint, by, calls, durationMs } = activity;
  const told = summary ?? readAloud(outcome === "failed" ? error : result, MOST_WORDS[verbosity], tongue);
  const who = outcome === "cancelled" ? whoAloud(by, tongue) : undefined;
  const isDetailed = verbosity === "detailed";
  return {
    verb: fill(outcomes[outcome], { by: who === undefined ? "" : fill(words.by, { who }) }),
    own: [told, readAloud(hint, MOST_ASKED, tongue)],
    ours: [
      isDetailed ? timeAloud(durationMs, "took", tongue) : undefined,
      isDetailed && calls !== undefined && calls > 0 ? fillCounted(phrases.calls, calls, { n: calls.toLocaleString(language) }) : undefined,
      ...spending(activity, telling),
    ],
  };
}

/** What it cost: at the end of a session always, else where everything is wanted. Tokens only then. */
export function spending(activity: Activity, { verbosity, tongue }: Telling): readonly (string | undefined)[] {
  const { catalogue } = tongue;
  const { words } = catalogue;
  const { costUsd, tokens, context, kind } = activity;
  const isDetailed = verbosity === "detailed";
  const isEnd = kind === "session.closed";
  // What the last step added is not what the session cost.
  const counts = ({ counts: which }: { readonly counts: string }) => !isEnd || which === "total";
  const cost = costUsd !== undefined && counts(costUsd) && costUsd.value > 0 ? costUsd.value : undefined;
  const used = tokens !== undefined && counts(tokens) ? allTokens(tokens) : undefined;
  return [
    cost !== undefined && (isDetailed || (isEnd && verbosity === "normal"))
      ? fill(words.cost, { what: costAloud(cost, catalogue) })
      : undefined,
    isDetailed && used !== undefined && used > 0 ? fill(words.used, { what: tokensAloud(used, catalogue) }) : undefined,
    isDetailed && context?.percent !== undefined ? fill(words.contextFull, { n: Math.round(context.percent) }) : undefined,
  ];
}

export function progress(activity: Of<"progress">, { summary, tongue }: Telling): Sentence {
  const { words } = tongue.catalogue;
  const { percent, step, steps, remainingMs } = activity;
  const verb =
    percent !== undefined
      ? fill(words.percent, { n: Math.round(percent) })
      : step === undefined
        ? words.goesOn
        : fill(steps === undefined ? words.step : words.stepOf, { n: step, of: steps });
  return { verb, own: [summary], ours: [timeAloud(remainingMs, "left", tongue)] };
}

/** How many steps there are and are done, and which one is next. */
export function planned({ items, text }: Of<"plan">, { summary, verbosity, tongue }: Telling): Sentence {
  const { words } = tongue.catalogue;
  if (items.length === 0) return { verb: words.plan, own: [summary ?? readAloud(text, MOST_WORDS[verbosity], tongue)] };
  const done = items.filter(({ status }) => /^(?:completed?|done|finished)$/i.test(status ?? "")).length;
  const now = items.find(({ status }) => /^(?:in[_ -]?progress|active|running|doing)$/i.test(status ?? ""))?.text;
  const next = verbosity === "terse" ? undefined : readAloud(now, MOST_WORDS.terse, tongue);
  return {
    verb: fillCounted(words.planOf, items.length, { n: items.length }),
    own: [summary],
    ours: [
      done === 0 ? undefined : fill(words.planDone, { n: done }),
      next === undefined || summary !== undefined ? undefined : fill(words.planNow, { what: next }),
    ],
  };
}

export function changed({ path, change = "" }: Of<"workspace.changed">, { tongue }: Telling): Sentence {
  const { words } = tongue.catalogue;
  const template = /creat|add|new/i.test(change) ? words.createdFile : /delet|remov/i.test(change) ? words.deletedFile : words.changedFile;
  return { verb: fill(template, { what: fileName(path, tongue) }) };
}
