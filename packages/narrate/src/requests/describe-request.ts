import { ASKING_AGENTS } from "@earshot/protocol/coding-agents";
import { isObject, type JsonValue } from "@earshot/protocol/json";
import { type ReadCall, readCall } from "../calls/read-call.ts";
import { agentName, folderIn, projectName } from "../names.ts";
import { tongueFor } from "../sentences/languages.ts";
import type { Catalogue } from "../words/catalogue.ts";
import { findReversal, type Reversal } from "./find-reversal.ts";
import type { AskedRequest, NarratedRequest, RequestCard, Risk } from "./request.ts";
import { serverOf } from "./request-facts.ts";
import { type WishOptions, wishOf } from "./wish.ts";

/** How a surface writes what narrate cannot know: text of an agent, and moments. */
export interface Presentation {
  /** BCP 47; English. What is wanted stays in English. */
  readonly language?: string;
  /** Puts an agent's text into one line in which nothing is hidden; of more characters than `most` it says how many are left out. */
  readonly show: (text: string, most: number) => string;
  /** Milliseconds since 1970. */
  readonly clock: (at: number) => string;
}

/** A request for a person who decides: the same on a page, in a terminal and aloud. Made from the real input. */
export interface RequestDescription extends RequestHeading {
  /** What is known to come of it, one sentence each. */
  readonly dangers: readonly string[];
  /** What a screen would hide in the input. */
  readonly hidden: readonly string[];
  /** Undefined where nothing happens that could be undone. */
  readonly reversal: { readonly sentence: string; readonly tone: "bad" | "warn" | "good" | "calm" } | undefined;
  readonly risk: Risk;
  readonly irreversible: boolean;
  /** Why a yes is confirmed; undefined where it is not risky. */
  readonly risky: string | undefined;
  /** What happens without an answer, and when; then what else happens meanwhile. */
  readonly silence: readonly string[];
  /** What the silence brings, without the time: `it does not happen, as the rule careful says`. */
  readonly afterSilence: string;
  /** The words that say yes and no, where the request takes any. */
  readonly yes: YesWord | undefined;
  readonly no: NoWord | undefined;
  /** The exact text that is asked about: the command, the path, the address; empty where there is none. */
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

/** The one description of a request; `until` is when its time is over, null where it waits for ever. */
export function describeRequest(
  request: NarratedRequest,
  until: number | null,
  { language = "en", show, clock }: Presentation,
): RequestDescription {
  const { card, inspection } = request;
  const { asked, terms } = card;
  const { cards, dangers } = tongueFor(language).catalogue;
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
  readonly risk: Risk;
  readonly irreversible: boolean;
  /** Why silence, and a single key, may never stand for a yes. */
  readonly risky: "irreversible" | "high" | "uninspectable" | undefined;
  readonly yes: YesWord | undefined;
  readonly no: NoWord | undefined;
  readonly exact: string;
}

/** Words that say yes and no, in the order in which they are looked for: each kind of request has its own. */
const YES = ["allow", "accept", "continue", "take-over"] as const;
const NO = ["deny", "reject", "block", "decline"] as const;
export type YesWord = (typeof YES)[number];
export type NoWord = (typeof NO)[number];
const RISKS = ["unknown", "low", "medium", "high"] as const;

/** What every description of a request is made from, in no language: the worst of what the agent and the hub say. */
export function assessRequest({ card, inspection }: NarratedRequest): RequestAssessment {
  const { asked, terms } = card;
  const irreversible = asked.irreversible || inspection?.irreversible === true;
  const risk = RISKS[Math.max(RISKS.indexOf(asked.risk), RISKS.indexOf(inspection?.risk ?? "unknown"))] ?? "unknown";
  const call = readCall({ tool: asked.title, ...serverOf(asked), ...(asked.input === undefined ? {} : { input: asked.input }) });
  return {
    risk,
    irreversible,
    risky: irreversible ? "irreversible" : risk === "high" ? "high" : inspection?.uninspectable === undefined ? undefined : "uninspectable",
    yes: YES.find((word) => terms.answers.includes(word)),
    no: NO.find((word) => terms.answers.includes(word)),
    exact: asked.kind === "permission" ? exactOf(asked.input, call) : (asked.said[0]?.text ?? asked.title),
  };
}

/** Why a yes is confirmed, in a sentence; undefined where it is not risky. */
export function whyRisky(request: NarratedRequest, language = "en"): string | undefined {
  const { risky } = assessRequest(request);
  return risky === undefined ? undefined : tongueFor(language).catalogue.cards.risky[risky];
}

const LONGEST_NAME = 60;

/** Who wants what. What is harmful in `commands` is named first. */
export function describeHeading(asked: AskedRequest, options: WishOptions): RequestHeading {
  const { show } = options;
  const project = projectName(folderIn(asked.facts));
  const name = show(agentName(asked.agent), LONGEST_NAME);
  // Where no folder is known, the session tells two of one agent apart.
  const who = `${name} in ${project === undefined ? `session ${show(asked.session, LONGEST_NAME)}` : show(project, LONGEST_NAME)}`;
  const { joined, what } = wishOf(asked, options);
  return { who, joined, what, heading: `${who} ${joined} ${what}` };
}

function describeReversal(found: Reversal | undefined, { reversal }: Catalogue["cards"]): RequestDescription["reversal"] {
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

/** The hub denies what is risky, whatever default the agent has set. */
function describeSilence({ asked, terms }: RequestCard, cards: Catalogue["cards"], show: Presentation["show"]): string {
  const { answer, by } = terms.silence;
  const isRisky = asked.irreversible || asked.risk === "high";
  if (isRisky && (answer.word === "accept" || answer.word === "allow")) return cards.noConsent;
  const rule = /^policy: (.*)$/s.exec(by)?.[1];
  const whose = by === "asker" ? cards.asAgentSet : rule === undefined ? "" : cards.asRuleSays(show(rule, 80));
  // A hook that hears nothing leaves it to its agent, which would have asked by itself.
  const word = answer.word === "abstain" && asked.protocol === "aep" ? "ask" : answer.word;
  const comes =
    word === "respond" && typeof answer.response === "string" ? cards.respondsWith(show(answer.response, 80)) : cards.comes[word];
  return `${comes}${whose}`;
}

/** An agent in ASKING_AGENTS cannot be told to go ahead before an action: a yes leaves it to its own rules, which may ask. */
function asksAnyway({ asked, terms }: RequestCard): boolean {
  return (
    asked.kind === "permission" &&
    asked.facts["moment"] === "action" &&
    terms.answers.includes("allow") &&
    ASKING_AGENTS.includes(asked.agent)
  );
}

const MOST_CHARACTERS = 1_000_000;

/** The exact text of what is asked: the command where it is one, else every member of the input, each in a line of its own. */
function exactOf(input: JsonValue | undefined, call: ReadCall): string {
  const text = call.script ?? (typeof input === "string" ? input : isObject(input) ? membersOf(input) : JSON.stringify(input ?? ""));
  return input === undefined && call.script === undefined ? "" : text.slice(0, MOST_CHARACTERS);
}

function membersOf(input: Readonly<Record<string, JsonValue | undefined>>): string {
  return Object.entries(input)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value ?? null)}`)
    .join("\n");
}
