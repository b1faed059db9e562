import type { Heard } from "../feed.ts";
import type { Backlog } from "./backlog.ts";
import { type Insight, insightInto } from "./insight.ts";
import type { Item } from "./item.ts";
import { readMergedId, writeMergedId } from "./merged-id.ts";
import type { Place } from "./outgoing.ts";

/**
 * Where to go on after an event: everything up to a position was delivered, or was not for the subscription, but for what
 * waited then. Lanes are told apart by the first event that waited in each: what follows it in its lane waited too.
 */
export interface ResumePoint {
  readonly upTo: number;
  readonly lanes: readonly Lane[];
}

export interface Lane {
  /** Of the first event of the lane that was not delivered, or not all of it. */
  readonly position: number;
  /** So many UTF-16 units of its text were delivered. */
  readonly skip: number;
}

/** Read on after this. */
export function placeOf({ upTo, lanes }: ResumePoint): number {
  return lanes.reduce((least, { position }) => Math.min(least, position - 1), upTo);
}

/** Leaves out what was delivered before, as the events since then come by again. */
class Resumption {
  readonly #upTo: number;
  readonly #begins = new Map<number, number>();
  readonly #open = new Set<string>();

  constructor({ upTo, lanes }: ResumePoint) {
    this.#upTo = upTo;
    for (const { position, skip } of lanes) this.#begins.set(position, skip);
  }

  /** How much of its text was delivered: 0 for an event that was not delivered at all, undefined for one that was. */
  skipOf({ heard, lane }: Insight): number | undefined {
    if (heard.position > this.#upTo) return 0;
    const skip = this.#begins.get(heard.position);
    if (skip !== undefined) this.#open.add(lane);
    return skip ?? (this.#open.has(lane) ? 0 : undefined);
  }

  isOver(position: number): boolean {
    return position > this.#upTo;
  }
}

/** The id of something that goes out, and whether whoever has it can go on after it. */
interface Name {
  readonly eventId: string;
  readonly resumable: boolean;
}

/** What a merged event was made from. */
interface Made {
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
