import { cutToWords, ENGLISH_PHRASES, folderIn, type ListenerPhrases, type RequestSettling, toSpoken } from "@earshot/narrate";
import type { Activity } from "@earshot/protocol/activities";
import type { LiveDecision, LiveRequest, LiveRequestCard } from "./wire.ts";

export type AskedActivity = Extract<Activity, { kind: "request.asked" }>;

/** Describes what a permission is for, based on the real input: `It wants to run git push`. */
export type DescribeWanted = (card: LiveRequestCard) => string;

/** A hub request as an activity to announce, based on the real input like its card. */
export function toAskedActivity(
  { id, kind, leftMs, card }: Pick<LiveRequest, "id" | "kind" | "leftMs" | "card">,
  wants: DescribeWanted,
): AskedActivity {
  const { asked, terms } = card;
  const { protocol, session, agent, risk, irreversible, choices, fields } = asked;
  const folder = folderIn(asked.facts);
  const labels = fields?.length === 1 ? fields[0]?.choices : choices;
  return {
    kind: "request.asked",
    protocol,
    type: "request",
    session,
    agent,
    request: kind,
    token: announcedKeyOf(id),
    prompt: promptOf(card, wants),
    ...(folder === undefined ? {} : { workspace: folder }),
    ...(risk === "unknown" ? {} : { risk }),
    ...(irreversible ? { reversible: false } : {}),
    ...(terms.action === null ? {} : { callId: terms.action }),
    ...(leftMs === null ? {} : { timeoutMs: leftMs }),
    ...(labels === undefined ? {} : { choices: labels.map(({ label }) => label) }),
  };
}

/** The announcer's key of the request. */
export function announcedKeyOf(id: string): string {
  return `earshot request ${id}`;
}

function promptOf(card: LiveRequestCard, wants: DescribeWanted): string {
  const { asked } = card;
  if (asked.kind === "permission") return wants(card);
  const question = asked.fields?.[0]?.text;
  return question !== undefined && question !== "" ? question : (asked.said[0]?.text ?? asked.title);
}

/** The request in a few words. */
export function describeBriefly(card: LiveRequestCard, wants: DescribeWanted, phrases: ListenerPhrases): string {
  return card.asked.kind === "permission" ? `${wants(card)}.` : phrases.asks(briefly(promptOf(card, wants)));
}

const MAX_WORDS = 15;

function briefly(text: string): string {
  const { text: kept, left } = cutToWords(toSpoken(text, ENGLISH_PHRASES), MAX_WORDS);
  return left === 0 ? kept : `${kept} …`;
}

const YES: ReadonlySet<string> = new Set(["allow", "accept", "continue", "take-over"]);
const NO: ReadonlySet<string> = new Set(["deny", "reject", "block", "stop", "decline"]);

/** How a request ended. No answer is not a refusal. */
export function settlingOf({ state, answer }: Pick<LiveDecision, "state" | "answer">): RequestSettling {
  if (state === "withdrawn") return "withdrawn";
  if (state === "defaulted" || state === "orphaned") return "no-answer";
  return YES.has(answer.word) ? "allowed" : NO.has(answer.word) ? "refused" : "answered";
}

/** The decider's name; undefined for the hub itself. */
export function deciderOf({ by }: Pick<LiveDecision, "by">, phrases: ListenerPhrases): string | undefined {
  if (by === "hub") return undefined;
  return by.startsWith("policy: ") ? phrases.rule(briefly(by.slice("policy: ".length))) : briefly(by);
}
