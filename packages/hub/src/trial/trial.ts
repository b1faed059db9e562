import { type CompiledPolicy, decideByPolicy, type PolicyDecision } from "@earshot/policy";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import type { AskedCard } from "../requests/card.ts";
import { isNo, isYes, type PastAsk, type PastOutcome } from "./past-asks.ts";

/** The result of an ask as a person notices it. */
export const ASK_FATES = ["asked", "passes", "refused", "left"] as const;
export type AskFate = (typeof ASK_FATES)[number];
export type FateCounts = Readonly<Record<AskFate, number>>;

/** The effect a policy would have had on past asks. */
export interface TrialResult {
  readonly asks: number;
  readonly sessions: number;
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  readonly happened: FateCounts;
  /** Results under the rules compared with; left out when compared with what happened. */
  readonly before?: FateCounts;
  readonly now: FateCounts;
  /** Number of asks decided differently. */
  readonly changed: number;
  /** Changed results, from the old one to the new one. */
  readonly moves: readonly FateChange[];
  readonly rules: readonly RuleCount[];
  /** Asks that a person refused and the policy would pass. */
  readonly passesRefused: number;
  /** Asks that a person allowed and the policy would refuse. */
  readonly refusesAllowed: number;
}

export interface FateChange {
  readonly from: AskFate;
  readonly to: AskFate;
  readonly count: number;
  /** Allowed asks among those a person was asked about. */
  readonly allowed: number;
  readonly refused: number;
  /** Asks decided against a person's decision first, then the newest. */
  readonly examples: readonly TrialExample[];
}

export interface TrialExample {
  readonly position: number;
  readonly receivedAt: number;
  readonly session: string;
  readonly sessionKey: number;
  readonly asked: AskedCard;
  readonly past: PastOutcome;
  /** Left out when no rule decides. */
  readonly rule?: string;
  /** The rule compared with; left out when none decided or when compared with what happened. */
  readonly ruleBefore?: string;
}

export interface RuleCount {
  readonly rule: string;
  readonly answer: string;
  readonly count: number;
}

export interface TrialOptions {
  /** The policy to compare with; left out: what happened. */
  readonly before?: CompiledPolicy;
  /** Maximum examples per move. */
  readonly maxExamples?: number;
}

const MAX_EXAMPLES = 3;
const NONE: FateCounts = { asked: 0, passes: 0, refused: 0, left: 0 };

interface Counted extends Omit<FateChange, "examples"> {
  count: number;
  allowed: number;
  refused: number;
  readonly contrary: TrialExample[];
  readonly others: TrialExample[];
}

/** Counts past asks one by one without keeping them. */
export class TrialCounter {
  readonly #policy: CompiledPolicy;
  readonly #before: CompiledPolicy | undefined;
  readonly #maxExamples: number;
  readonly #happened = { ...NONE };
  readonly #wouldBefore = { ...NONE };
  readonly #would = { ...NONE };
  readonly #sessions = new Set<number>();
  readonly #moves = new Map<string, Counted>();
  readonly #rules = new Map<string, { readonly rule: string; readonly answer: string; count: number }>();
  #asks = 0;
  #changed = 0;
  #firstAt: number | null = null;
  #lastAt: number | null = null;
  #passesRefused = 0;
  #refusesAllowed = 0;

  constructor(policy: CompiledPolicy, { before, maxExamples = MAX_EXAMPLES }: TrialOptions = {}) {
    this.#policy = policy;
    this.#before = before;
    this.#maxExamples = maxExamples;
  }

  count(ask: PastAsk): void {
    const ruling = judge(this.#policy, ask);
    const rulingBefore = this.#before === undefined ? undefined : judge(this.#before, ask);
    const [happened, to] = [pastFate(ask), fateOf(ask, ruling)];
    const from = rulingBefore === undefined ? happened : fateOf(ask, rulingBefore);
    this.#happened[happened]++;
    this.#wouldBefore[from]++;
    this.#would[to]++;
    this.#asks++;
    this.#sessions.add(ask.sessionKey);
    this.#firstAt = Math.min(this.#firstAt ?? ask.receivedAt, ask.receivedAt);
    this.#lastAt = Math.max(this.#lastAt ?? ask.receivedAt, ask.receivedAt);
    if (ruling.rule !== undefined) this.#countRule(ruling.rule.name, ruling.behaviour);
    const { how, word } = ask.past;
    if (how === "person" && isNo(word) && to === "passes") this.#passesRefused++;
    if (how === "person" && isYes(word) && to === "refused") this.#refusesAllowed++;
    if (from !== to) this.#move(ask, from, to, exampleOf(ask, ruling, rulingBefore));
  }

  result(): TrialResult {
    const byCount = (one: { readonly count: number }, other: { readonly count: number }) => other.count - one.count;
    return {
      asks: this.#asks,
      sessions: this.#sessions.size,
      firstAt: this.#firstAt,
      lastAt: this.#lastAt,
      happened: this.#happened,
      ...(this.#before === undefined ? {} : { before: this.#wouldBefore }),
      now: this.#would,
      changed: this.#changed,
      moves: [...this.#moves.values()].sort(byCount).map(({ contrary, others, ...move }) => ({
        ...move,
        examples: [...contrary.toReversed(), ...others.toReversed()].slice(0, this.#maxExamples),
      })),
      rules: [...this.#rules.values()].sort(byCount),
      passesRefused: this.#passesRefused,
      refusesAllowed: this.#refusesAllowed,
    };
  }

  #countRule(rule: string, answer: string): void {
    const known = this.#rules.get(rule);
    if (known === undefined) this.#rules.set(rule, { rule, answer, count: 1 });
    else known.count++;
  }

  #move(ask: PastAsk, from: AskFate, to: AskFate, example: TrialExample): void {
    this.#changed++;
    const key = `${from} ${to}`;
    const move = this.#moves.get(key) ?? { from, to, count: 0, allowed: 0, refused: 0, contrary: [], others: [] };
    this.#moves.set(key, move);
    move.count++;
    const isPerson = ask.past.how === "person";
    if (isPerson && isYes(ask.past.word)) move.allowed++;
    if (isPerson && isNo(ask.past.word)) move.refused++;
    // Results that contradict a person's decision are preferred as examples.
    const isContrary = isPerson && ((to === "passes" && isNo(ask.past.word)) || (to === "refused" && isYes(ask.past.word)));
    const kept = isContrary ? move.contrary : move.others;
    kept.push(example);
    if (kept.length > this.#maxExamples) kept.shift();
  }
}

/** The first question with a matching rule decides. */
function judge(policy: CompiledPolicy, { asked }: PastAsk): PolicyDecision {
  let ruling: PolicyDecision | undefined;
  for (const one of asked) {
    ruling = decideByPolicy(policy, one);
    if (ruling.behaviour !== "abstain") return ruling;
  }
  if (ruling === undefined) throw new Error("An ask that asks nothing.");
  return ruling;
}

function exampleOf(ask: PastAsk, { rule }: PolicyDecision, before: PolicyDecision | undefined): TrialExample {
  const { position, receivedAt, session, sessionKey, past } = ask;
  return {
    position,
    receivedAt,
    session,
    sessionKey,
    asked: askedThen(ask),
    past,
    ...(rule === undefined ? {} : { rule: rule.name }),
    ...(before?.rule === undefined ? {} : { ruleBefore: before.rule.name }),
  };
}

function pastFate({ past }: PastAsk): AskFate {
  if (past.how === "agent") return "left";
  if (past.how !== "rule") return "asked";
  if (isYes(past.word)) return "passes";
  return isNo(past.word) ? "refused" : "left";
}

function fateOf({ asked }: PastAsk, { behaviour, rule, hold, unanswered }: PolicyDecision): AskFate {
  switch (behaviour) {
    case "allow":
    case "continue":
      return "passes";
    case "deny":
    case "block":
    case "stop":
      return "refused";
    case "ask":
    case "defer":
      // A hook that never waits immediately gets the answer for silence.
      return hold === "never" ? UNANSWERED[unanswered] : "asked";
    case "abstain":
      // Without a matching rule, the agent's own question reaches a person unless a rule forbids waiting.
      return asked.some(({ moment }) => ALWAYS_ASKED.has(moment)) && !(rule !== undefined && hold === "never") ? "asked" : "left";
  }
}

const UNANSWERED = { ask: "left", deny: "refused", allow: "passes" } as const satisfies Record<PolicyDecision["unanswered"], AskFate>;
const ALWAYS_ASKED: ReadonlySet<string> = new Set(["permission", "confirmation", "question", "handoff"]);

/** A past ask in the form of a request card, with long texts cut. */
function askedThen({ type, agent, session, event, asked }: Pick<PastAsk, "type" | "agent" | "session" | "event" | "asked">): AskedCard {
  const moment = asked[0]?.moment ?? "action";
  const action = objectAt(event, "action");
  const words = event["question"] ?? event["reason"] ?? event["action"];
  const input = action["input"] ?? event["content"];
  return {
    kind: moment === "confirmation" || moment === "handoff" ? moment : moment === "question" ? "clarification" : "permission",
    protocol: "aep",
    source: "",
    session,
    agent,
    title: cut(String(objectAt(event, "tool")["name"] ?? objectAt(event, "skill")["name"] ?? type)),
    ...(input === undefined ? {} : { input: shorten(input) }),
    said: typeof words === "string" ? [{ name: "said", text: cut(words) }] : [],
    risk: "unknown",
    irreversible: false,
    facts: {
      moment,
      ...Object.fromEntries(
        ["workspace", "server", "skill", "target_kind"].flatMap((name) => {
          const fact = event[name];
          return fact === undefined ? [] : [[name, shorten(fact)]];
        }),
      ),
    },
  };
}

const MAX_TEXT_CHARACTERS = 2000;
const MAX_MEMBERS = 24;
const MAX_DEPTH = 3;

/** Bounds a value, because many are shown together. */
function shorten(value: JsonValue, depth = 0): JsonValue {
  if (typeof value === "string") return cut(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.slice(0, MAX_MEMBERS).map((one) => shorten(one, depth + 1));
  const members = Object.entries(value).slice(0, MAX_MEMBERS);
  return Object.fromEntries(members.map(([name, one]) => [cut(name), shorten(one ?? null, depth + 1)]));
}

function cut(text: string): string {
  return text.length <= MAX_TEXT_CHARACTERS ? text : `${text.slice(0, MAX_TEXT_CHARACTERS)}…`;
}

function objectAt(event: JsonObject, name: string): JsonObject {
  const value = event[name];
  return isObject(value) ? value : {};
}
