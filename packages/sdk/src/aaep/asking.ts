import type { Ending, Question, QuestionNews } from "@earshot/aaep/speaking";
import type { Written } from "./event-writer.ts";
import { endingWords, timeLeftWords } from "./own-words.ts";
import type { SessionCore } from "./session-core.ts";

const WITHDRAWN: Ending = { how: "withdrawn" };

interface Open {
  readonly token: string;
  readonly over: (ending: Ending) => void;
}

/**
 * The questions of a session, one at a time: whoever is asked hears one question, and hears what became of it before the next.
 * What would have to be announced as something else meanwhile, the start of a tool, waits for the answer too.
 */
export class Asking {
  readonly #core: SessionCore;
  readonly #held: (() => void)[] = [];
  #open: Open | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(core: SessionCore) {
    this.#core = core;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Until what is being asked is over. */
  untilOver(): Promise<void> {
    return new Promise((resolve) => this.#held.push(resolve));
  }

  /**
   * Asks when it is its turn. `put` tells the question; it is withdrawn where the session is over by then. `conclude` is called
   * with the ending at once, before anything else can happen.
   */
  async ask<Result>(
    put: () => { readonly question: Question; readonly written: Written },
    conclude: (ending: Ending) => Result,
  ): Promise<Result> {
    return this.inTurn(async () => {
      if (this.#core.hasEnded) return conclude(this.#withdrawn());
      this.#core.states.asks();
      const { question, written } = put();
      return new Promise<Result>((resolve, reject) => {
        const over = (ending: Ending) => {
          if (ending.how === "withdrawn" && this.#core.signal.aborted) reject(this.#core.signal.reason);
          else resolve(conclude(ending));
        };
        this.#open = { token: question.token, over };
        this.#core.ports.ask(question, written, (news) => this.#hear(news));
      });
    });
  }

  /** Does something when everything that was asked before is over, and what follows from it has begun. */
  async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = this.#turn;
    const result = before.then(work);
    const over = () => this.#core.ports.turn();
    this.#turn = result.then(over, over);
    return result;
  }

  /** The session is about to end: what is open is not asked any more. */
  close(): void {
    if (this.#open !== undefined) this.#core.ports.withdraw(this.#open.token);
  }

  #hear(news: QuestionNews): void {
    const { question } = news;
    if (this.#open?.token !== question.token) return;
    if (news.what === "time-left") {
      const description = timeLeftWords(news.leftMs);
      this.#core.tell("progress.updated", { progress: { description }, summary_normal: description }, { ownWords: true });
      return;
    }
    const { ending } = news;
    const { over } = this.#open;
    this.#open = undefined;
    const goesOn = ending.how === "accepted" || (ending.how === "defaulted" && ending.decision === "accept") || this.#answersTool(ending);
    this.#core.states.asked(goesOn ? "calling_tool" : "thinking", endingWords(question, ending), { question, ending });
    for (const release of this.#held.splice(0)) release();
    over(ending);
  }

  /** A tool that asked something goes on when it is answered. */
  #answersTool({ how }: Ending): boolean {
    return how === "answered" && this.#core.states.isCallingTool;
  }

  #withdrawn(): Ending {
    this.#core.signal.throwIfAborted();
    return WITHDRAWN;
  }
}
