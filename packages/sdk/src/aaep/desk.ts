import { type Attendance, type Question, QuestionDesk, type QuestionNews, type Reply } from "@earshot/aaep/speaking";

export interface DeskPorts {
  /** A clock that is never set. */
  elapsedMs(): number;
  /** Calls back after so many milliseconds. Returns how to call it off. */
  after(ms: number, call: () => void): () => void;
}

/** The questions of an agent, with the clock at hand: whoever asks is told what comes of it, when it comes. */
export class Desk {
  readonly #ports: DeskPorts;
  readonly #desk = new QuestionDesk();
  readonly #listeners = new Map<string, (news: QuestionNews) => void>();
  readonly #attendances = new Map<string, Attendance>();
  #callOff: (() => void) | undefined;

  constructor(ports: DeskPorts) {
    this.#ports = ports;
  }

  ask(question: Question, hear: (news: QuestionNews) => void): void {
    this.#listeners.set(question.token, hear);
    this.#tell(this.#desk.ask(question, this.#ports.elapsedMs()));
  }

  reply(reply: Reply): void {
    this.#tell(this.#desk.reply(reply, this.#ports.elapsedMs()));
  }

  withdraw(token: string): void {
    this.#tell(this.#desk.withdraw(token));
  }

  /** By this way, no answer will come. Where nobody could answer by another, that is all. */
  forsake(question: Question, way: string): void {
    const kind = question.kind === "confirmation" ? "confirmations" : "clarifications";
    const others = [...this.#attendances].some(([other, attendance]) => other !== way && attendance[kind] > 0);
    if (!others) this.#tell(this.#desk.forsake(question.token));
  }

  /** Who could answer by one way; by all ways together somebody can, or nobody. `isFinal`: nobody is on the way back. */
  attend(way: string, attendance: Attendance, isFinal = false): void {
    this.#attendances.set(way, attendance);
    const all = { confirmations: 0, clarifications: 0 };
    for (const { confirmations, clarifications } of this.#attendances.values()) {
      all.confirmations += confirmations;
      all.clarifications += clarifications;
    }
    this.#tell(this.#desk.attend(all, this.#ports.elapsedMs(), isFinal));
  }

  close(): void {
    this.#callOff?.();
  }

  #tell(news: readonly QuestionNews[]): void {
    for (const one of news) {
      const hear = this.#listeners.get(one.question.token);
      if (one.what === "ended") this.#listeners.delete(one.question.token);
      hear?.(one);
    }
    this.#schedule();
  }

  #schedule(): void {
    this.#callOff?.();
    const due = this.#desk.dueAt();
    const wake = () => this.#tell(this.#desk.pass(this.#ports.elapsedMs()));
    this.#callOff = due === undefined ? undefined : this.#ports.after(Math.max(0, due - this.#ports.elapsedMs()), wake);
  }
}
