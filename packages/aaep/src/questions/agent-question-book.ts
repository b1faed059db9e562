import {
  judgeReply,
  mayDefaultTo,
  QUESTION_STEPS,
  type Question,
  type QuestionEnding,
  type QuestionReply,
  type QuestionSignal,
  type QuestionState,
  type SilenceReason,
} from "./question.ts";

/** The number of connected subscribers that can answer each kind. */
export interface Attendance {
  readonly confirmations: number;
  readonly clarifications: number;
}

export type QuestionChange =
  | { readonly what: "ended"; readonly question: Question; readonly ending: QuestionEnding }
  /** Half or a tenth of a long deadline is left. */
  | { readonly what: "time-left"; readonly question: Question; readonly leftMs: number };

export interface AgentQuestionBookOptions {
  /** How long after the last attendee leaves the default applies, because it may return. */
  readonly graceMs?: number;
}

interface Held {
  readonly question: Question;
  readonly deadline: number;
  /** Times at which to report the time left, soonest first. */
  readonly reminders: number[];
  state: QuestionState;
  forsakenAt: number;
}

const GRACE_MS = 10_000;
/** Above this, people are told how much time is left (§6.4.3). */
const LONG_MS = 60_000;
const REMINDED_AT = [0.5, 0.9] as const;
const MAX_OPEN = 10_000;
const NOTHING: readonly QuestionChange[] = [];

/**
 * The questions of a producer that answers for itself: a question ends with the first valid reply, at its deadline, or when nobody is
 * left to answer. Pure: times are milliseconds of a monotonic clock passed in, and consequences are returned. An invalid reply changes
 * nothing and returns nothing, whatever its fault.
 */
export class AgentQuestionBook {
  readonly #graceMs: number;
  readonly #open = new Map<string, Held>();
  #attendance: Attendance = { confirmations: 0, clarifications: 0 };
  #at = Number.NEGATIVE_INFINITY;

  constructor({ graceMs = GRACE_MS }: AgentQuestionBookOptions = {}) {
    this.#graceMs = graceMs;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Asks. If nobody could answer, the default applies at once. */
  ask(question: Question, at: number): readonly QuestionChange[] {
    const now = this.#pass(at);
    if (!this.#isAttended(question) || this.#open.size >= MAX_OPEN) {
      return [{ what: "ended", question, ending: endBySilence(question, "nobody") }];
    }
    const { timeoutMs } = question;
    const reminders = timeoutMs > LONG_MS ? REMINDED_AT.map((share) => now + timeoutMs * share) : [];
    const held = { question, deadline: now + timeoutMs, reminders, state: "waiting", forsakenAt: Number.POSITIVE_INFINITY } as const;
    this.#open.set(question.token, { ...held });
    return NOTHING;
  }

  /** The first matching reply ends its question. */
  reply(reply: QuestionReply, at: number): readonly QuestionChange[] {
    const now = this.#pass(at);
    const held = this.#open.get(reply.reply_token);
    // Late is late, even if the clock was not checked yet: the next `pass` reports the ending.
    if (held === undefined || held.deadline <= now || isForsaken(held, now)) return NOTHING;
    const ending = judgeReply(held.question, reply);
    return ending === undefined ? NOTHING : this.#end(held, "replied", ending);
  }

  /** Call on every change. `isFinal`: the leaving attendee said so, and none is on the way back. */
  attend(attendance: Attendance, at: number, isFinal = false): readonly QuestionChange[] {
    const now = this.#pass(at);
    // A new attendee does not save a question that had already been abandoned.
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

  /** The only source has reported that no answer will come. */
  abandon(token: string): readonly QuestionChange[] {
    const held = this.#open.get(token);
    if (held === undefined) return NOTHING;
    this.#step(held, "left");
    return this.#end(held, "forsaken", endBySilence(held.question, "nobody"));
  }

  /** Withdraws a question: its token becomes invalid. */
  withdraw(token: string): readonly QuestionChange[] {
    const held = this.#open.get(token);
    return held === undefined ? NOTHING : this.#end(held, "withdrawn", { how: "withdrawn" });
  }

  /** Consequences of the passing of time. */
  pass(at: number): readonly QuestionChange[] {
    const now = this.#pass(at);
    const news: QuestionChange[] = [];
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

  /** When `pass` has something to return; undefined without open questions. */
  dueAt(): number | undefined {
    let due = Number.POSITIVE_INFINITY;
    for (const { deadline, reminders, forsakenAt } of this.#open.values()) {
      due = Math.min(due, deadline, forsakenAt, reminders[0] ?? deadline);
    }
    return due === Number.POSITIVE_INFINITY ? undefined : due;
  }

  #end(held: Held, signal: QuestionSignal, ending: QuestionEnding): readonly QuestionChange[] {
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

  /** A clock that never runs backwards. */
  #pass(at: number): number {
    this.#at = Math.max(this.#at, at);
    return this.#at;
  }
}

function isForsaken({ state, forsakenAt }: Held, now: number): boolean {
  return state === "alone" && forsakenAt <= now;
}

function endBySilence(question: Question, why: SilenceReason): QuestionEnding {
  if (question.kind === "confirmation") {
    // `DEFAULTS` was applied before: an action that silence must not start does not start, whatever was requested.
    const { defaultDecision: decision } = question;
    return { how: "defaulted", why, decision: mayDefaultTo(decision, question) ? decision : "reject" };
  }
  const { defaultResponse } = question;
  return { how: "unanswered", why, ...(defaultResponse === undefined ? {} : { response: defaultResponse }) };
}
