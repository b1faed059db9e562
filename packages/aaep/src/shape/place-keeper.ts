import type { Heard } from "../heard.ts";
import type { Backlog } from "./backlog.ts";
import { insightInto } from "./insight.ts";
import type { Item } from "./item.ts";
import { readMergedId, writeMergedId } from "./merged-id.ts";
import type { Place } from "./outgoing.ts";
import { type ResumePoint, Resumption } from "./resume-point.ts";

/** The id of something that goes out, and whether whoever has it can go on after it. */
export interface Name {
  readonly eventId: string;
  readonly resumable: boolean;
}

/** What a merged event was made from. */
export interface Made {
  readonly first: number;
  readonly last: number;
  readonly skip: number;
  /** It is an event of the feed, all of it and nothing else. */
  readonly isOwn: boolean;
}

/** Knows what was heard and delivered, and so from which events somebody can resume. */
export class PlaceKeeper {
  readonly #backlog: Backlog;
  #resumption: Resumption | undefined;
  /** In the order of the feed. */
  #heardUpTo = 0;
  /** The last position of anything delivered that might be merged otherwise another time. */
  #mergedUpTo = 0;

  constructor(backlog: Backlog, resume: ResumePoint | undefined) {
    this.#backlog = backlog;
    if (resume === undefined) return;
    this.#resumption = new Resumption(resume);
    this.#mergedUpTo = resume.upTo;
  }

  get settledUpTo(): number {
    return Math.min(this.#heardUpTo, this.#backlog.firstPosition() - 1);
  }

  /** How much of its text was delivered in an earlier life: mostly 0; undefined when all of the event was. */
  hear(heard: Heard, place: Place): number | undefined {
    if (place !== "next") return 0;
    if (heard.position > this.#heardUpTo) this.#heardUpTo = heard.position;
    if (this.#resumption === undefined) return 0;
    if (!this.#resumption.isOver(heard.position)) return this.#resumption.skipOf(insightInto(heard));
    this.#resumption = undefined;
    return 0;
  }

  /** For what may be merged: undefined when its own id does, because who has it can go on after it. */
  nameFor({ first, last, skip, isOwn }: Made, eventId: string, termsKey: string): Name | undefined {
    const isNewest = this.#mergedUpTo <= last;
    this.#mergedUpTo = Math.max(this.#mergedUpTo, last);
    if (isOwn && isNewest && this.#isSettled(last) && !isForged(eventId)) return undefined;
    const resume = { upTo: this.#heardUpTo, lanes: this.#backlog.lanes(this.#heardUpTo) };
    return { eventId: writeMergedId(first, last, skip, termsKey, resume), resumable: this.#resumption === undefined };
  }

  /** For what is never merged: whoever gets it again gets the same. */
  isResumable({ isAside, insight: { heard } }: Item): boolean {
    return !isAside && this.#mergedUpTo <= heard.position && this.#isSettled(heard.position) && !isForged(heard.eventId);
  }

  #isSettled(position: number): boolean {
    return this.#resumption === undefined && position <= this.#heardUpTo && this.#backlog.firstPosition() > position;
  }
}

/** An agent that gives its event an id such as are made here would have whoever resumes after it go on somewhere else. */
function isForged(eventId: string): boolean {
  return readMergedId(eventId) !== undefined;
}
