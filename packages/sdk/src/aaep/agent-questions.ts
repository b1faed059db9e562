import { AgentQuestionBook, type Attendance, type Question, type QuestionChange, type QuestionReply } from "@earshot/aaep/speaking";

export interface AgentQuestionsPorts {
  /** A monotonic clock. */
  elapsedMs(): number;
  /** Calls back after a delay. Returns the function that cancels it. */
  after(ms: number, call: () => void): () => void;
}

/** The open questions of an agent. Reports each question's result to its asker when it is known. */
export class AgentQuestions {
  readonly #ports: AgentQuestionsPorts;
  readonly #book = new AgentQuestionBook();
  readonly #listeners = new Map<string, (news: QuestionChange) => void>();
  readonly #attendances = new Map<string, Attendance>();
  #callOff: (() => void) | undefined;

  constructor(ports: AgentQuestionsPorts) {
    this.#ports = ports;
  }

  ask(question: Question, hear: (news: QuestionChange) => void): void {
    this.#listeners.set(question.token, hear);
    this.#report(this.#book.ask(question, this.#ports.elapsedMs()));
  }

  reply(reply: QuestionReply): void {
    this.#report(this.#book.reply(reply, this.#ports.elapsedMs()));
  }

  withdraw(token: string): void {
    this.#report(this.#book.withdraw(token));
  }

  /** No answer will come from this source. If no other source can answer either, the question is over. */
  abandon(question: Question, way: string): void {
    const kind = question.kind === "confirmation" ? "confirmations" : "clarifications";
    const others = [...this.#attendances].some(([other, attendance]) => other !== way && attendance[kind] > 0);
    if (!others) this.#report(this.#book.abandon(question.token));
  }

  /** Updates who can answer from one source; any source suffices. `isFinal`: nobody is reconnecting there. */
  attend(way: string, attendance: Attendance, isFinal = false): void {
    this.#attendances.set(way, attendance);
    const all = { confirmations: 0, clarifications: 0 };
    for (const { confirmations, clarifications } of this.#attendances.values()) {
      all.confirmations += confirmations;
      all.clarifications += clarifications;
    }
    this.#report(this.#book.attend(all, this.#ports.elapsedMs(), isFinal));
  }

  close(): void {
    this.#callOff?.();
  }

  #report(news: readonly QuestionChange[]): void {
    for (const one of news) {
      const hear = this.#listeners.get(one.question.token);
      if (one.what === "ended") this.#listeners.delete(one.question.token);
      hear?.(one);
    }
    this.#schedule();
  }

  #schedule(): void {
    this.#callOff?.();
    const due = this.#book.dueAt();
    const wake = () => this.#report(this.#book.pass(this.#ports.elapsedMs()));
    this.#callOff = due === undefined ? undefined : this.#ports.after(Math.max(0, due - this.#ports.elapsedMs()), wake);
  }
}
