import type { Catalogue } from "./catalogue.ts";
import { fill, fillCounted } from "./fill.ts";
import { countAloud } from "./quantities.ts";
import { spaced } from "./spaced.ts";
import type { SessionGroup, Standing } from "./standing.ts";
import type { Tally } from "./tally.ts";
import type { Phrases } from "./words.ts";

/** What the announcer says of its own accord, in the words of one language. */
export function phrasesIn(catalogue: Catalogue): Phrases {
  const { phrases, settled, language } = catalogue;
  const counted = (template: string, count: number) => countAloud(template, count, language);
  return {
    language,
    from: (agent, project) => (project === undefined ? agent : fill(phrases.from, { agent, project })),
    firstOf: (requests) => fill(phrases.firstOf, { n: requests }),
    counted: (tally, more) => talliedAloud(tally, more, catalogue),
    standing: (standing) => standingAloud(standing, catalogue),
    others: (groups) => othersAloud(groups, catalogue),
    settled: (how, by) => fill(settled[how], { by: by === undefined ? "" : fill(phrases.settledBy, { who: by }) }),
    more: (count) => fill(phrases.more, { n: count }),
    leftOut: (words) => counted(phrases.leftOut, words),
    code: (lines) => counted(phrases.code, lines),
    snippet: phrases.snippet,
    content: (type, characters) => fillCounted(phrases.content, characters, { type, n: characters.toLocaleString(language) }),
    secret: phrases.secret,
    link: (host) => fill(phrases.link, { host }),
    file: (name, folder) => fill(phrases.file, { name, folder }),
    nothingNew: phrases.nothingNew,
    nobodyRuns: phrases.nobodyRuns,
  };
}

/** Follows a source. */
export function stateAloud(state: string, { states, otherState }: Catalogue): string {
  return isKnown(state, states) ? states[state] : fill(otherState, { state: spaced(state) });
}

function isKnown<Known extends string>(name: string, known: Readonly<Record<Known, string>>): name is Known {
  return Object.hasOwn(known, name);
}

function standingAloud(standing: Standing, catalogue: Catalogue): string {
  const { phrases, outcomes } = catalogue;
  switch (standing.is) {
    case "waiting":
      return standing.requests === 1 ? phrases.waitsForYou : fill(phrases.waitsWith, { n: standing.requests });
    case "ended":
      return fill(outcomes[standing.outcome]);
    case "at":
      return stateAloud(standing.state, catalogue);
    case "running":
      return phrases.isRunning;
  }
}

function talliedAloud({ calls, failures, outputs, messages }: Tally, more: boolean, { phrases, language }: Catalogue): string {
  const parts: readonly (readonly [number, string])[] = [
    [calls, more ? phrases.moreCalls : phrases.calls],
    [failures, phrases.failures],
    [outputs, phrases.outputs],
    [messages, phrases.messages],
  ];
  return parts.flatMap(([count, template]) => (count === 0 ? [] : [countAloud(template, count, language)])).join(", ");
}

function othersAloud(groups: readonly SessionGroup[], { phrases, ends, language }: Catalogue): string {
  const all = groups.reduce((sum, { sessions }) => sum + sessions, 0);
  const name = (standing: Standing) =>
    standing.is === "waiting" ? phrases.waitingForYou : standing.is === "ended" ? ends[standing.outcome] : phrases.runningNow;
  const listed = groups.map(({ standing, sessions }) => `${sessions} ${name(standing)}`).join(", ");
  return fillCounted(phrases.others, all, { n: all.toLocaleString(language), listed });
}
