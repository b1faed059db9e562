import type { DecisionView, RequestView } from "@earshot/hub";
import type { Settling } from "@earshot/sdk";
import type { Activity } from "@earshot/translate";
import { agentName } from "../words/names.ts";
import { folderOf, shortly, wishOf } from "../words/request-words.ts";

export type Asking = Extract<Activity, { kind: "request.asked" }>;

/** A request of the hub as something to announce: made from the real input, as its card is. */
export function toAsking({ id, kind, leftMs, card }: Pick<RequestView, "id" | "kind" | "leftMs" | "card">): Asking {
  const { asked, terms } = card;
  const { protocol, session, agent, risk, irreversible, choices, fields } = asked;
  const folder = folderOf(asked.facts);
  const labels = fields?.length === 1 ? fields[0]?.choices : choices;
  return {
    kind: "request.asked",
    protocol,
    type: "request",
    session,
    agent,
    agentName: agentName(agent),
    request: kind,
    token: tokenOf(id),
    prompt: promptOf(card),
    ...(folder === undefined ? {} : { workspace: folder }),
    ...(risk === "unknown" ? {} : { risk }),
    ...(irreversible ? { reversible: false } : {}),
    ...(terms.action === null ? {} : { callId: terms.action }),
    ...(leftMs === null ? {} : { timeoutMs: leftMs }),
    ...(labels === undefined ? {} : { choices: labels.map(({ label }) => label) }),
  };
}

/** What the announcer knows the request by. */
export function tokenOf(id: string): string {
  return `earshot request ${id}`;
}

function promptOf(card: RequestView["card"]): string {
  const { asked } = card;
  if (asked.kind === "permission") return `It wants to ${wishOf({ card }).what}`;
  const question = asked.fields?.[0]?.text;
  return question !== undefined && question !== "" ? question : (asked.said[0]?.text ?? asked.title);
}

/** The request in a few words, to say something about it. */
export function inAWord(card: RequestView["card"]): string {
  return card.asked.kind === "permission" ? `It wants to ${wishOf({ card }).what}.` : `It asks: ${shortly(promptOf(card), LONGEST)}`;
}

const LONGEST = 80;
const YES: ReadonlySet<string> = new Set(["allow", "accept", "continue", "take-over"]);
const NO: ReadonlySet<string> = new Set(["deny", "reject", "block", "stop", "decline"]);

/** How a request ended, as it is told. Who did not answer has not refused. */
export function settlingOf({ state, answer }: Pick<DecisionView, "state" | "answer">): Settling {
  if (state === "withdrawn") return "withdrawn";
  if (state === "defaulted" || state === "orphaned") return "no-answer";
  return YES.has(answer.word) ? "allowed" : NO.has(answer.word) ? "refused" : "answered";
}

/** Who decided, as it is told; nobody where it was the hub itself. */
export function deciderOf({ by }: Pick<DecisionView, "by">): string | undefined {
  if (by === "hub") return undefined;
  return by.startsWith("policy: ") ? `the rule ${shortly(by.slice("policy: ".length), LONGEST)}` : shortly(by, LONGEST);
}
