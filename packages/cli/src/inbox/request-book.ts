import type { RequestView } from "@earshot/hub";
import type { OpenRequests } from "./press-key.ts";

/** Requests by the number they have here. A number stays with its request and is never used again: what was read out stays true. */
export class RequestBook implements OpenRequests {
  readonly byNumber = new Map<number, RequestView>();
  readonly byId = new Map<string, RequestView>();
  readonly #numbers = new Map<string, number>();
  #last = 0;

  /** Notes how a request stands. It gets a number when it is first seen open; undefined for one that never was. */
  note(view: RequestView): { readonly number: number; readonly isNew: boolean } | undefined {
    const known = this.#numbers.get(view.id);
    if (known === undefined && view.decision !== null) return undefined;
    const number = known ?? ++this.#last;
    this.#numbers.set(view.id, number);
    if (view.decision === null) {
      this.byNumber.set(number, view);
      this.byId.set(view.id, view);
    } else {
      this.byNumber.delete(number);
      this.byId.delete(view.id);
      this.#forgetOld();
    }
    return { number, isNew: known === undefined };
  }

  /** Leaves only those that are in the list; gives those that were open here and are not any more. */
  retain(requests: readonly RequestView[]): readonly RequestView[] {
    const ids = new Set(requests.map(({ id }) => id));
    const gone = [...this.byId.values()].filter(({ id }) => !ids.has(id));
    for (const { id } of gone) this.byId.delete(id);
    for (const [number, { id }] of this.byNumber) if (!ids.has(id)) this.byNumber.delete(number);
    return gone;
  }

  numberOf(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  /** What came of a request is told for a while after its end. */
  #forgetOld(): void {
    for (const id of this.#numbers.keys()) {
      if (this.#numbers.size <= MOST_NUMBERS) return;
      if (!this.byId.has(id)) this.#numbers.delete(id);
    }
  }
}

const MOST_NUMBERS = 5000;
