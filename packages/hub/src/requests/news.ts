import { EarshotError, type ProblemCode } from "@earshot/protocol";
import type { AnswerWordName } from "./answer.ts";
import type { NewsKind, NewsList, RequestNews } from "./api.ts";
import type { HeldRequest } from "./held-request.ts";
import type { Effect, RanAlarm } from "./machine-types.ts";

const KEPT = 1000;

/** Request news for long polls: the last thousand, numbered. */
export class RequestNewsLog {
  readonly #now: () => number;
  readonly #waiting = new Set<() => void>();
  /** With the time in milliseconds, because most are never read. */
  #news: (Omit<RequestNews, "at"> & { readonly at: number })[] = [];
  #number: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#number = now(); // numbers of an earlier life of the hub are smaller
  }

  add(what: NewsKind, text: string, about: { readonly request?: string; readonly session?: string } = {}): void {
    this.#number++;
    this.#news.push({ number: this.#number, at: this.#now(), what, request: about.request ?? null, session: about.session ?? null, text });
    if (this.#news.length > 2 * KEPT) this.#news = this.#news.slice(-KEPT);
    for (const wake of [...this.#waiting]) wake();
  }

  after(number: number): NewsList {
    const [oldest] = this.#news;
    const missed = number > 0 && number < this.#number && (oldest === undefined || number < oldest.number - 1);
    const news = this.#news.filter((one) => one.number > number);
    return { news: news.map((one) => ({ ...one, at: new Date(one.at).toISOString() })), next: this.#number, missed };
  }

  /** Fulfills when there is newer news, or at the timeout. */
  async wait(number: number, ms: number, signal?: AbortSignal): Promise<NewsList> {
    if (this.#number <= number && ms > 0) await waitFor(this.#waiting, ms, signal);
    return this.after(number);
  }
}

/** Fulfills when woken, at the timeout, or when the caller has gone. */
export function waitFor(waiting: Set<() => void>, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      waiting.delete(done);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    waiting.add(done);
    if (signal?.aborted === true) done();
    else signal?.addEventListener("abort", done);
  });
}

export type AnswerRefusal = Extract<Effect, { kind: "refuse" }>["why"];

/** Request news in words. No answer is not a refusal. */
export function describeNews(what: Extract<Effect, { kind: "tell" }>["what"], { card, machine }: HeldRequest): string {
  const { title, agent } = card.asked;
  switch (what) {
    case "asked":
      return `${agent} asks: ${title}.`;
    case "half-time":
      return `Half of the time is over: ${title}.`;
    case "last-call":
      return `20 seconds left: ${title}.`;
    case "unattended":
      return `Nobody waits any more: ${title}.`;
    case "attended":
      return `The agent waits again: ${title}.`;
    case "extended":
      return `More time: ${title}.`;
    case "decided": {
      const { settlement } = machine;
      if (machine.terms.timeMs === 0 && settlement !== null && LEFT.has(settlement.answer.word)) {
        return `Left to the agent: ${title}. ${settlement.reason ?? ""}`.trimEnd();
      }
      const isSilence = settlement?.state === "defaulted" || settlement?.state === "orphaned";
      return isSilence ? `No answer: ${title}.` : `${settlement?.answer.word ?? "decided"} by ${settlement?.by ?? "?"}: ${title}.`;
    }
  }
}

const LEFT: ReadonlySet<AnswerWordName> = new Set(["ask", "abstain"]);

export function describeAlarm(what: RanAlarm, { card }: HeldRequest): string {
  const { title } = card.asked;
  switch (what) {
    case "ran-despite-refusal":
      return `${title} ran although it had been refused.`;
    case "ran-while-open":
      return `${title} ran while it waited for an answer.`;
    case "ran-unasked":
      return `${title} ran after the agent was told to ask, and the agent showed no question.`;
  }
}

const PROBLEMS_OF: Readonly<Record<AnswerRefusal, readonly [ProblemCode, string]>> = {
  "not-open": ["NOT_FOUND", "The request is not stored yet."],
  "nobody-waits": ["NOBODY_WAITS", "The agent no longer waits for this answer."],
  ended: ["DECIDED_ALREADY", "The request has ended."],
  "not-extendable": ["NOT_EXTENDABLE", "The agent does not wait any longer than this."],
};

export function problemOfRefusal(refusal: AnswerRefusal): EarshotError {
  return createRequestProblem(...PROBLEMS_OF[refusal]);
}

export function createRequestProblem(code: ProblemCode, message: string): EarshotError {
  return new EarshotError({ code, message });
}
