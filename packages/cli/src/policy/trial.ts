import { type CompiledPolicy, decide, type Ruling } from "@earshot/policy";
import { isNo, isYes, type PastAsk } from "./past-ask.ts";
import { tellAsk } from "./tell-ask.ts";

/** What happens to an ask, as far as the person notices. */
export const FATES = ["asked", "passes", "refused", "left"] as const;
export type Fate = (typeof FATES)[number];

/** What a policy would have done to what happened. */
export interface Trial {
  readonly asks: number;
  readonly sessions: number;
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  /** How many would go another way. */
  readonly changed: number;
  /** From what happened to what would happen; only where they differ. */
  readonly moves: readonly Move[];
  readonly rules: readonly RuleCount[];
  /** What a person refused and would now pass. */
  readonly passesRefused: number;
  /** What a person allowed and would now be refused. */
  readonly refusesAllowed: number;
}

export interface Move {
  readonly from: Fate;
  readonly to: Fate;
  readonly count: number;
  /** Of those that a person was asked about. */
  readonly allowed: number;
  readonly refused: number;
  readonly examples: readonly Example[];
}

export interface Example {
  readonly position: number;
  readonly session: string;
  readonly what: string;
  /** Left out where no rule decides. */
  readonly rule?: string;
}

export interface RuleCount {
  readonly rule: string;
  readonly answer: string;
  readonly count: number;
}

const MOST_EXAMPLES = 3;

/** Counts as it goes: an ask is looked at once and forgotten. */
export class TrialCounter {
  readonly #policy: CompiledPolicy;
  readonly #sessions = new Set<number>();
  readonly #moves = new Map<string, { -readonly [Key in keyof Move]: Move[Key] }>();
  readonly #rules = new Map<string, { readonly rule: string; readonly answer: string; count: number }>();
  #asks = 0;
  #changed = 0;
  #firstAt: number | null = null;
  #lastAt: number | null = null;
  #passesRefused = 0;
  #refusesAllowed = 0;

  constructor(policy: CompiledPolicy) {
    this.#policy = policy;
  }

  hear(ask: PastAsk): void {
    const ruling = this.#judge(ask);
    const [from, to] = [pastFate(ask), fateOf(ask, ruling)];
    this.#asks++;
    this.#sessions.add(ask.sessionKey);
    this.#firstAt = Math.min(this.#firstAt ?? ask.receivedAt, ask.receivedAt);
    this.#lastAt = Math.max(this.#lastAt ?? ask.receivedAt, ask.receivedAt);
    if (ruling.rule !== undefined) this.#count(ruling.rule.name, ruling.behaviour);
    const { how, word } = ask.past;
    if (how === "person" && isNo(word) && to === "passes") this.#passesRefused++;
    if (how === "person" && isYes(word) && to === "refused") this.#refusesAllowed++;
    if (from !== to) this.#move(ask, from, to, ruling);
  }

  result(): Trial {
    const byCount = (one: { readonly count: number }, other: { readonly count: number }) => other.count - one.count;
    return {
      asks: this.#asks,
      sessions: this.#sessions.size,
      firstAt: this.#firstAt,
      lastAt: this.#lastAt,
      changed: this.#changed,
      moves: [...this.#moves.values()].sort(byCount),
      rules: [...this.#rules.values()].sort(byCount),
      passesRefused: this.#passesRefused,
      refusesAllowed: this.#refusesAllowed,
    };
  }

  /** The first that a rule speaks about decides. */
  #judge({ asked }: PastAsk): Ruling {
    let ruling: Ruling | undefined;
    for (const one of asked) {
      ruling = decide(this.#policy, one);
      if (ruling.behaviour !== "abstain") return ruling;
    }
    if (ruling === undefined) throw new Error("An ask that asks nothing.");
    return ruling;
  }

  #count(rule: string, answer: string): void {
    const known = this.#rules.get(rule);
    if (known === undefined) this.#rules.set(rule, { rule, answer, count: 1 });
    else known.count++;
  }

  #move(ask: PastAsk, from: Fate, to: Fate, { rule }: Ruling): void {
    this.#changed++;
    const key = `${from} ${to}`;
    const move = this.#moves.get(key) ?? { from, to, count: 0, allowed: 0, refused: 0, examples: [] };
    this.#moves.set(key, move);
    move.count++;
    const isPerson = ask.past.how === "person";
    if (isPerson && isYes(ask.past.word)) move.allowed++;
    if (isPerson && isNo(ask.past.word)) move.refused++;
    // What a person decided otherwise is worth more than the first that came along.
    const isContrary = isPerson && ((to === "passes" && isNo(ask.past.word)) || (to === "refused" && isYes(ask.past.word)));
    if (move.examples.length >= MOST_EXAMPLES && !isContrary) return;
    const example = {
      position: ask.position,
      session: ask.session,
      what: tellAsk(ask),
      ...(rule === undefined ? {} : { rule: rule.name }),
    };
    move.examples = isContrary ? [example, ...move.examples].slice(0, MOST_EXAMPLES) : [...move.examples, example];
  }
}

function pastFate({ past }: PastAsk): Fate {
  if (past.how === "agent") return "left";
  if (past.how !== "rule") return "asked";
  if (isYes(past.word)) return "passes";
  return isNo(past.word) ? "refused" : "left";
}

function fateOf({ asked }: PastAsk, { behaviour, rule, hold, unanswered }: Ruling): Fate {
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
      // Who never waits hears at once what silence means.
      return hold === "never" ? UNANSWERED[unanswered] : "asked";
    case "abstain":
      // What the agent itself asks reaches a person without any rule, unless one says not to wait.
      return asked.some(({ moment }) => ALWAYS_ASKED.has(moment)) && !(rule !== undefined && hold === "never") ? "asked" : "left";
  }
}

const UNANSWERED = { ask: "left", deny: "refused", allow: "passes" } as const satisfies Record<Ruling["unanswered"], Fate>;
const ALWAYS_ASKED: ReadonlySet<string> = new Set(["permission", "confirmation", "question", "handoff"]);
