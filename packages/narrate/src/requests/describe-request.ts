import { ASKING_AGENTS } from "@earshot/protocol/coding-agents";
import { isObject, type JsonValue } from "@earshot/protocol/json";
import { type ReadCall, readToolCall } from "../calls/read-call.ts";
import { agentName, folderIn, projectName } from "../names.ts";
import { languageWordsFor } from "../sentences/languages.ts";
import type { Catalogue } from "../words/catalogue.ts";
import { describeWish, type WishOptions } from "./describe-wish.ts";
import { type ActionReversal, findReversal } from "./find-reversal.ts";
import type { AskedRequest, NarratedCard, NarratedRequest, NarratedRisk } from "./request.ts";
import { serverOf } from "./request-facts.ts";

/** Functions of a surface for agents' texts and times. */
export interface Presentation {
  /** BCP 47; default English. Wishes stay in English. */
  readonly language?: string;
  /** Shows an agent's text on one line without hidden characters; beyond `most` characters it states how many are omitted. */
  readonly show: (text: string, most: number) => string;
  /** Unix milliseconds. */
  readonly clock: (at: number) => string;
}

/** A request described for the decider, identical on a page, in a terminal and in speech. Based on the real input. */
export interface RequestDescription extends RequestHeading {
  /** Known effects, one sentence each. */
  readonly dangers: readonly string[];
  /** Characters in the input that a screen would hide. */
  readonly hidden: readonly string[];
  /** Undefined if nothing happens that could be undone. */
  readonly reversal: { readonly sentence: string; readonly tone: "bad" | "warn" | "good" | "calm" } | undefined;
  readonly risk: NarratedRisk;
  readonly irreversible: boolean;
  /** Why an allow must be confirmed; undefined if it need not be. */
  readonly risky: string | undefined;
  /** The outcome without an answer and its time; then what else happens meanwhile. */
  readonly silence: readonly string[];
  /** The result without an answer, without the time: `it does not happen, as the rule careful says`. */
  readonly afterSilence: string;
  /** The words for yes and no, if the request takes any. */
  readonly yes: YesWord | undefined;
  readonly no: NoWord | undefined;
  /** The exact text asked about: command, path or address; empty if there is none. */
  readonly exact: string;
}

/** `Claude Code in shop` `wants to` `run git push`. */
export interface RequestHeading {
  readonly who: string;
  readonly joined: string;
  readonly what: string;
  /** All three. */
  readonly heading: string;
}

/** The one description of a request. `until` is its deadline, null without one. */
export function describeRequest(
  request: NarratedRequest,
  until: number | null,
  { language = "en", show, clock }: Presentation,
): RequestDescription {
  const { card, inspection } = request;
  const { asked, terms } = card;
  const { cards, dangers } = languageWordsFor(language).catalogue;
  const assessment = assessRequest(request);
  const afterSilence = describeSilence(card, cards, show);
  const agent = show(agentName(asked.agent), LONGEST_NAME);
  return {
    ...describeHeading(asked, { show, ...(inspection === undefined ? {} : { commands: inspection.commands }) }),
    ...assessment,
    dangers: (inspection?.dangers ?? []).map(({ id, sentence }) => dangers[id] ?? sentence),
    hidden: inspection?.hidden ?? [],
    reversal: describeReversal(findReversal(request), cards),
    risky: whyRisky(request, language),
    afterSilence,
    silence: [
      until === null ? cards.waitsForEver : cards.withoutAnswer(clock(until), afterSilence),
      ...(until !== null && request.extensionsLeft === 0 ? [cards.noMoreTime(agent)] : []),
      ...(terms.besideDialog ? [cards.besideDialog(agent)] : []),
      ...(asksAnyway(card) ? [cards.asksAnyway(agent)] : []),
    ],
  };
}

export interface RequestAssessment {
  readonly risk: NarratedRisk;
  readonly irreversible: boolean;
  /** Why neither silence nor a single key may stand for a yes. */
  readonly risky: "irreversible" | "high" | "uninspectable" | undefined;
  readonly yes: YesWord | undefined;
  readonly no: NoWord | undefined;
  readonly exact: string;
}

/** Words for yes and no in lookup order; each kind of request has its own. */
const YES = ["allow", "accept", "continue", "take-over"] as const;
const NO = ["deny", "reject", "block", "decline"] as const;
export type YesWord = (typeof YES)[number];
export type NoWord = (typeof NO)[number];
const RISKS = ["unknown", "low", "medium", "high"] as const;

/** The language-independent basis of every request description: the worse of the agent's and the hub's assessment. */
export function assessRequest({ card, inspection }: NarratedRequest): RequestAssessment {
  const { asked, terms } = card;
  const irreversible = asked.irreversible || inspection?.irreversible === true;
  const risk = RISKS[Math.max(RISKS.indexOf(asked.risk), RISKS.indexOf(inspection?.risk ?? "unknown"))] ?? "unknown";
  const call = readToolCall({ tool: asked.title, ...serverOf(asked), ...(asked.input === undefined ? {} : { input: asked.input }) });
  return {
    risk,
    irreversible,
    risky: irreversible ? "irreversible" : risk === "high" ? "high" : inspection?.uninspectable === undefined ? undefined : "uninspectable",
    yes: YES.find((word) => terms.answers.includes(word)),
    no: NO.find((word) => terms.answers.includes(word)),
    exact: asked.kind === "permission" ? exactOf(asked.input, call) : (asked.said[0]?.text ?? asked.title),
  };
}

/** Why a yes must be confirmed, as a sentence; undefined if it need not be. */
export function whyRisky(request: NarratedRequest, language = "en"): string | undefined {
  const { risky } = assessRequest(request);
  return risky === undefined ? undefined : languageWordsFor(language).catalogue.cards.risky[risky];
}

const LONGEST_NAME = 60;

/** The agent and its wish. Harmful commands are named first. */
export function describeHeading(asked: AskedRequest, options: WishOptions): RequestHeading {
  const { show } = options;
  const project = projectName(folderIn(asked.facts));
  const name = show(agentName(asked.agent), LONGEST_NAME);
  // Without a known folder, the session distinguishes two runs of one agent.
  const who = `${name} in ${project === undefined ? `session ${show(asked.session, LONGEST_NAME)}` : show(project, LONGEST_NAME)}`;
  const { joined, what } = describeWish(asked, options);
  return { who, joined, what, heading: `${who} ${joined} ${what}` };
}

function describeReversal(found: ActionReversal | undefined, { reversal }: Catalogue["cards"]): RequestDescription["reversal"] {
  switch (found?.is) {
    case undefined:
      return undefined;
    case "uninspectable":
      return { sentence: reversal.uninspectable(found.why, found.isKnown), tone: "bad" };
    case "irreversible":
      return { sentence: reversal.irreversible, tone: "bad" };
    case "said":
      return { sentence: reversal[found.as], tone: "calm" };
    case "only-reads":
      return { sentence: reversal.onlyReads, tone: "good" };
    case "command":
      return { sentence: reversal.by(found.command), tone: "good" };
    case "branch":
    case "text":
      return { sentence: reversal.by(reversal[found.is]), tone: "good" };
    case "unknown":
      return { sentence: reversal.unknown, tone: "warn" };
  }
}

/** The hub denies risky requests on silence, whatever default the agent set. */
function describeSilence({ asked, terms }: NarratedCard, cards: Catalogue["cards"], show: Presentation["show"]): string {
  const { answer, by } = terms.silence;
  const isRisky = asked.irreversible || asked.risk === "high";
  if (isRisky && (answer.word === "accept" || answer.word === "allow")) return cards.noConsent;
  const rule = /^policy: (.*)$/s.exec(by)?.[1];
  const whose = by === "asker" ? cards.asAgentSet : rule === undefined ? "" : cards.asRuleSays(show(rule, 80));
  // A hook without an answer leaves the decision to its agent, which would have prompted.
  const word = answer.word === "abstain" && asked.protocol === "aep" ? "ask" : answer.word;
  const comes =
    word === "respond" && typeof answer.response === "string" ? cards.respondsWith(show(answer.response, 80)) : cards.comes[word];
  return `${comes}${whose}`;
}

/** For agents in ASKING_AGENTS, an allow only defers to their own rules, which may prompt. */
function asksAnyway({ asked, terms }: NarratedCard): boolean {
  return (
    asked.kind === "permission" &&
    asked.facts["moment"] === "action" &&
    terms.answers.includes("allow") &&
    ASKING_AGENTS.includes(asked.agent)
  );
}

const MAX_CHARACTERS = 1_000_000;

/** The exact text asked about: the command, or each member of the input on its own line. */
function exactOf(input: JsonValue | undefined, call: ReadCall): string {
  const text = call.script ?? (typeof input === "string" ? input : isObject(input) ? membersOf(input) : JSON.stringify(input ?? ""));
  return input === undefined && call.script === undefined ? "" : text.slice(0, MAX_CHARACTERS);
}

function membersOf(input: Readonly<Record<string, JsonValue | undefined>>): string {
  return Object.entries(input)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value ?? null)}`)
    .join("\n");
}
