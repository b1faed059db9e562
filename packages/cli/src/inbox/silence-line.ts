import type { Answer, Card, RequestView, Word } from "@earshot/hub";
import { durationInWords, whenInWords } from "./time-words.ts";
import { visibleBeginning } from "./visible-text.ts";

const COMES: Readonly<Record<Word, string>> = {
  allow: "it goes ahead",
  accept: "it goes ahead",
  continue: "it goes on",
  deny: "it does not happen",
  reject: "it does not happen",
  block: "it is held back",
  decline: "nobody takes over",
  ask: "the agent asks at its own prompt",
  abstain: "the agent decides for itself",
  defer: "it is put off",
  stop: "the agent stops",
  respond: "the agent goes on with an answer of its own",
  "take-over": "it counts as taken over",
};

/** What happens when nobody answers, and when. */
export function silenceLine({ card, leftMs }: Pick<RequestView, "card" | "leftMs">, now: number, timeZone?: string): string {
  const beside = card.terms.besideDialog ? " The agent shows its own dialog, too: whichever is answered first counts." : "";
  if (leftMs === null) return `It waits for as long as it takes.${beside}`;
  const until = `${whenInWords(now + leftMs, now, timeZone)}, in ${durationInWords(leftMs)}`;
  return `Without an answer by ${until}, ${ofSilence(card)}.${beside}`;
}

/** What comes of silence, and whose wish that is. */
export function ofSilence({ asked, terms }: Card): string {
  const { answer, by } = terms.silence;
  const isRisky = asked.irreversible || asked.risk === "high";
  // Whatever the asker has set: the hub says no in its place.
  if (isRisky && (answer.word === "accept" || answer.word === "allow")) return `${COMES.deny}: silence is no yes to what is risky`;
  return `${comesOf(answer)}${wishOf(by)}`;
}

/** What an answer leads to. */
export function comesOf({ word, response }: Answer): string {
  if (word === "respond" && typeof response === "string") return `the agent goes on with “${visibleBeginning(response, 80)}”`;
  return COMES[word] ?? visibleBeginning(word, 40);
}

function wishOf(by: string): string {
  if (by === "asker") return ", as the agent has set";
  const rule = /^policy: (.*)$/s.exec(by)?.[1];
  return rule === undefined ? "" : `, as the rule ${visibleBeginning(rule, 80)} says`;
}
