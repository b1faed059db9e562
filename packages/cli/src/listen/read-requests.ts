import type { RequestView } from "@earshot/hub";
import { type AnswerState, beginReading, endRequest, finishReading, NO_ANSWER_STATE } from "./answer-state.ts";

const MAX_REQUESTS = 500;

/** Open requests, which of them were read, and the one a number would answer. */
export class ReadRequests {
  answering: AnswerState = NO_ANSWER_STATE;
  /** The read request has ended: the next one is to be read. */
  isNextDue = false;
  readonly #views = new Map<string, RequestView>();
  /** Read, rather than only counted. */
  readonly #read = new Set<string>();
  #reading: RequestView | undefined;

  /** Updates a request. */
  note(view: RequestView): void {
    this.#views.delete(view.id);
    if (view.decision === null) this.#views.set(view.id, view);
    else this.#end(view.id);
    for (const oldest of this.#views.keys()) {
      if (this.#views.size <= MAX_REQUESTS) return;
      this.#end(oldest);
    }
  }

  /** Replaces the set of open requests. */
  retain(open: readonly RequestView[]): void {
    const ids = new Set(open.map(({ id }) => id));
    for (const id of [...this.#views.keys()]) if (!ids.has(id)) this.#end(id);
    for (const view of open) this.note(view);
  }

  find(id: string | undefined): RequestView | undefined {
    return id === undefined ? undefined : this.#views.get(id);
  }

  isRead({ id }: RequestView): boolean {
    return this.#read.has(id);
  }

  /** A request begins to be read in its current state, which is what a number answers. */
  begin(view: RequestView, now: number): void {
    if (this.#reading?.id === view.id && this.#reading.digest !== view.digest) this.answering = NO_ANSWER_STATE;
    this.#reading = view;
    this.#read.add(view.id);
    this.answering = beginReading(this.answering, view.id, now);
  }

  /** It was read to its end. */
  markRead({ id }: RequestView): void {
    this.answering = finishReading(this.answering, id);
  }

  /** The request a number would answer, as it was read; undefined if there is none or it has ended. */
  get reading(): RequestView | undefined {
    const { request } = this.answering;
    return request !== null && request === this.#reading?.id && this.#views.has(request) ? this.#reading : undefined;
  }

  #end(id: string): void {
    if (this.answering.request === id) this.isNextDue = true;
    this.answering = endRequest(this.answering, id);
    this.#views.delete(id);
    this.#read.delete(id);
  }
}
