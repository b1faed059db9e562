import type { Question, QuestionChange, QuestionEnding } from "@earshot/aaep/speaking";
import { endingWords, timeLeftWords } from "./default-texts.ts";
import type { WrittenEvent } from "./event-writer.ts";
import type { SessionCore } from "./session-core.ts";

const WITHDRAWN: QuestionEnding = { how: "withdrawn" };

interface Open {
  readonly token: string;
  readonly over: (ending: QuestionEnding) => void;
}

/**
 * The questions of a session, one at a time: a person hears one question, and its result before the next. The start of a tool, which
 * would be announced as something else meanwhile, waits as well.
 */
export class QuestionQueue {
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

  /** Fulfills when the open question is over. */
  untilOver(): Promise<void> {
    return new Promise((resolve) => this.#held.push(resolve));
  }

  /**
   * Asks in turn. `put` reports the question, which is withdrawn if the session has ended by then. `conclude` is called synchronously
   * with the result.
   */
  async ask<Result>(
    put: () => { readonly question: Question; readonly written: WrittenEvent },
    conclude: (ending: QuestionEnding) => Result,
  ): Promise<Result> {
    return this.inTurn(async () => {
      if (this.#core.hasEnded) return conclude(this.#withdrawn());
      this.#core.states.asks();
      const { question, written } = put();
      return new Promise<Result>((resolve, reject) => {
        const over = (ending: QuestionEnding) => {
          if (ending.how === "withdrawn" && this.#core.signal.aborted) reject(this.#core.signal.reason);
          else resolve(conclude(ending));
        };
        this.#open = { token: question.token, over };
        this.#core.ports.ask(question, written, (news) => this.#handle(news));
      });
    });
  }

  /** Runs `work` after all earlier questions and their immediate consequences. */
  async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = this.#turn;
    const result = before.then(work);
    const over = () => this.#core.ports.turn();
    this.#turn = result.then(over, over);
    return result;
  }

  /** Withdraws open questions before the session ends. */
  close(): void {
    if (this.#open !== undefined) this.#core.ports.withdraw(this.#open.token);
  }

  #handle(news: QuestionChange): void {
    const { question } = news;
    if (this.#open?.token !== question.token) return;
    if (news.what === "time-left") {
      const description = timeLeftWords(news.leftMs);
      this.#core.emit("progress.updated", { progress: { description }, summary_normal: description }, { ownWords: true });
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

  /** A tool that asked a question continues after the answer. */
  #answersTool({ how }: QuestionEnding): boolean {
    return how === "answered" && this.#core.states.isCallingTool;
  }

  #withdrawn(): QuestionEnding {
    this.#core.signal.throwIfAborted();
    return WITHDRAWN;
  }
}
