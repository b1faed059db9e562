import { spaceWords } from "../amounts.ts";
import type { Catalogue } from "../words/catalogue.ts";
import type { ActivityTally, Phrases, SessionGroup, SessionStanding } from "./words.ts";

/** The announcer's own phrases in one language. */
export function phrasesIn(catalogue: Catalogue): Phrases {
  const { phrases, settled, language } = catalogue;
  return {
    ...phrases,
    language,
    from: (agent, project) => (project === undefined ? agent : phrases.from(agent, project)),
    counted: (tally, more) => talliedAloud(tally, more, catalogue),
    standing: (standing) => standingAloud(standing, catalogue),
    others: (groups) => othersAloud(groups, catalogue),
    settled: (how, by) => settled[how](by),
  };
}

/** Follows a source. */
export function spokenState(state: string, { states, otherState }: Catalogue): string {
  return isKnown(state, states) ? states[state] : otherState(spaceWords(state));
}

function isKnown<Known extends string>(name: string, known: Readonly<Record<Known, string>>): name is Known {
  return Object.hasOwn(known, name);
}

function standingAloud(standing: SessionStanding, catalogue: Catalogue): string {
  const { phrases, outcomes } = catalogue;
  switch (standing.is) {
    case "waiting":
      return phrases.waitsForYou(standing.requests);
    case "ended":
      return outcomes[standing.outcome](undefined);
    case "at":
      return spokenState(standing.state, catalogue);
    case "running":
      return phrases.isRunning;
  }
}

function talliedAloud({ calls, failures, outputs, messages }: ActivityTally, more: boolean, { phrases }: Catalogue): string {
  const parts: readonly (readonly [count: number, words: (count: number) => string])[] = [
    [calls, more ? phrases.moreCalls : phrases.calls],
    [failures, phrases.failures],
    [outputs, phrases.outputs],
    [messages, phrases.messages],
  ];
  return parts.flatMap(([count, words]) => (count === 0 ? [] : [words(count)])).join(", ");
}

function othersAloud(groups: readonly SessionGroup[], { phrases, ends }: Catalogue): string {
  const all = groups.reduce((sum, { sessions }) => sum + sessions, 0);
  const name = (standing: SessionStanding) =>
    standing.is === "waiting" ? phrases.waitingForYou : standing.is === "ended" ? ends[standing.outcome] : phrases.runningNow;
  const listed = groups.map(({ standing, sessions }) => `${sessions} ${name(standing)}`).join(", ");
  return phrases.others(all, listed);
}
