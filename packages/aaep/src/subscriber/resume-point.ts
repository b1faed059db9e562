/** One thing that arrived, until it is dealt with. */
export interface Mark {
  readonly id: string | undefined;
  isDealtWith: boolean;
}

/**
 * After which event to resume: the last with an id of which everything up to it was dealt with, in whatever order that
 * happened. What was not dealt with comes again, and nothing is skipped.
 */
export class ResumePoint {
  #marks: Mark[] = [];
  #first = 0;
  #after: string | undefined;

  constructor(after?: string) {
    this.#after = after;
  }

  get after(): string | undefined {
    return this.#after;
  }

  arrived(id: string | undefined): Mark {
    const mark: Mark = { id, isDealtWith: false };
    this.#marks.push(mark);
    return mark;
  }

  dealtWith(mark: Mark): void {
    mark.isDealtWith = true;
    for (;;) {
      const first = this.#marks[this.#first];
      if (first === undefined || !first.isDealtWith) break;
      this.#after = first.id ?? this.#after;
      this.#first++;
    }
    if (this.#first === this.#marks.length || this.#first > 1024) {
      this.#marks = this.#marks.slice(this.#first);
      this.#first = 0;
    }
  }
}
