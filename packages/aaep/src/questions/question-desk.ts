import {
  type Ending,
  judgeReply,
  mayDefaultTo,
  QUESTION_STEPS,
  type Question,
  type QuestionSignal,
  type QuestionState,
  type Reply,
  type Silence,
} from "./question.ts";

/** Who could answer: how many of those that are connected can answer each kind. */
export interface Attendance {
  readonly confirmations: number;
  readonly clarifications: number;
}

export type QuestionNews =
  | { readonly what: "ended"; readonly question: Question; readonly ending: Ending }
  /** Half, or a tenth, of a long time to answer is left. */
  | { readonly what: "time-left"; readonly question: Question; readonly leftMs: number };

export interface QuestionDeskOptions {
  /** How long after the last one who could answer has left the default applies: it may be on its way back. */
  readonly graceMs?: number;
}

interface Held {
  readonly question: Question;
  readonly deadline: number;
  /** When the time left is to be told, soonest first. */
  readonly reminders: number[];
  state: QuestionState;
  forsakenAt: number;
}

const GRACE_MS = 10_000;
/** Above this, people are told how much time is left (§6.4.3). */
const LONG_MS = 60_000;
const REMINDED_AT = [0.5, 0.9] as const;
const MOST_OPEN = 10_000;
const NOTHING: readonly QuestionNews[] = [];

/**
 * The questions of a producer that answers for itself: the first valid reply ends a question, or its time does, or that nobody
 * is left to answer. Pure: the time, in milliseconds of a monotonic clock, is passed in, and what follows is given back. A
 * reply that does not count changes nothing and gives nothing back, whatever is wrong with it.
 */
export class QuestionDesk {
  readonly #graceMs: number;
  readonly #open = new Map<string, Held>();
  #attendance: Attendance = { confirmations: 0, clarifications: 0 };
  #at = Number.NEGATIVE_INFINITY;

  constructor({ graceMs = GRACE_MS }: QuestionDeskOptions = {}) {
    this.#graceMs = graceMs;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Asks. Where nobody could answer, what counts then counts at once. */
  ask(question: Question, at: number): readonly QuestionNews[] {
    const now = this.#pass(at);
    if (!this.#isAttended(question) || this.#open.size >= MOST_OPEN) {
      return [{ what: "ended", question, ending: endBySilence(question, "nobody") }];
    }
    const { timeoutMs } = question;
    const reminders = timeoutMs > LONG_MS ? REMINDED_AT.map((share) => now + timeoutMs * share) : [];
    const held = { question, deadline: now + timeoutMs, reminders, state: "waiting", forsakenAt: Number.POSITIVE_INFINITY } as const;
    this.#open.set(question.token, { ...held });
    return NOTHING;
  }

  /** The first that fits ends its question. */
  reply(reply: Reply, at: number): readonly QuestionNews[] {
    const now = this.#pass(at);
    const held = this.#open.get(reply.reply_token);
    // Too late is too late, also when nobody has looked at the clock yet: that it has ended is told by the next `pass`.
    if (held === undefined || held.deadline <= now || isForsaken(held, now)) return NOTHING;
    const ending = judgeReply(held.question, reply);
    return ending === undefined ? NOTHING : this.#end(held, "replied", ending);
  }

  /** Told whenever it changes. `isFinal`: whoever has left said so, and nobody is on the way back. */
  attend(attendance: Attendance, at: number, isFinal = false): readonly QuestionNews[] {
    const now = this.#pass(at);
    // Whoever had been left before this was known is not saved by who comes now.
    const news = this.pass(at);
    this.#attendance = attendance;
    for (const held of this.#open.values()) {
      const before = held.state;
      this.#step(held, this.#isAttended(held.question) ? "came" : "left");
      if (held.state === "alone" && isFinal) held.forsakenAt = now;
      else if (held.state !== before) held.forsakenAt = held.state === "alone" ? now + this.#graceMs : Number.POSITIVE_INFINITY;
    }
    return isFinal ? [...news, ...this.pass(at)] : news;
  }

  /** Whoever was asked has said that no answer will come. */
  forsake(token: string): readonly QuestionNews[] {
    const held = this.#open.get(token);
    if (held === undefined) return NOTHING;
    this.#step(held, "left");
    return this.#end(held, "forsaken", endBySilence(held.question, "nobody"));
  }

  /** Takes a question back: its token is dead. */
  withdraw(token: string): readonly QuestionNews[] {
    const held = this.#open.get(token);
    return held === undefined ? NOTHING : this.#end(held, "withdrawn", { how: "withdrawn" });
  }

  /** What has come with time. */
  pass(at: number): readonly QuestionNews[] {
    const now = this.#pass(at);
    const news: QuestionNews[] = [];
    for (const held of this.#open.values()) {
      const { question, deadline, reminders } = held;
      if (deadline <= now) news.push(...this.#end(held, "expired", endBySilence(question, "time")));
      else if (isForsaken(held, now)) news.push(...this.#end(held, "forsaken", endBySilence(question, "nobody")));
      else if ((reminders[0] ?? now + 1) <= now) {
        while ((reminders[0] ?? now + 1) <= now) reminders.shift();
        news.push({ what: "time-left", question, leftMs: deadline - now });
      }
    }
    return news;
  }

  /** When `pass` has something to give; undefined when nobody is being asked. */
  dueAt(): number | undefined {
    let due = Number.POSITIVE_INFINITY;
    for (const { deadline, reminders, forsakenAt } of this.#open.values()) {
      due = Math.min(due, deadline, forsakenAt, reminders[0] ?? deadline);
    }
    return due === Number.POSITIVE_INFINITY ? undefined : due;
  }

  #end(held: Held, signal: QuestionSignal, ending: Ending): readonly QuestionNews[] {
    this.#step(held, signal);
    if (held.state !== "ended") return NOTHING;
    this.#open.delete(held.question.token);
    return [{ what: "ended", question: held.question, ending }];
  }

  #step(held: Held, signal: QuestionSignal): void {
    held.state = QUESTION_STEPS[held.state][signal];
  }

  #isAttended({ kind }: Question): boolean {
    return (kind === "confirmation" ? this.#attendance.confirmations : this.#attendance.clarifications) > 0;
  }

  /** Time that only grows, whatever is passed in. */
  #pass(at: number): number {
    this.#at = Math.max(this.#at, at);
    return this.#at;
  }
}

function isForsaken({ state, forsakenAt }: Held, now: number): boolean {
  return state === "alone" && forsakenAt <= now;
}

function endBySilence(question: Question, why: Silence): Ending {
  if (question.kind === "confirmation") {
    // Whoever asks has looked at the table before; what may not start by silence does not, whatever was asked.
    const { defaultDecision: decision } = question;
    return { how: "defaulted", why, decision: mayDefaultTo(decision, question) ? decision : "reject" };
  }
  const { defaultResponse } = question;
  return { how: "unanswered", why, ...(defaultResponse === undefined ? {} : { response: defaultResponse }) };
}
