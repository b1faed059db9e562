import type { DatabaseSync } from "node:sqlite";
import { type Draft, ENTRY_VALUES, type Written } from "./draft.ts";
import { Scribe } from "./scribe.ts";
import type { RemovalTask, ScribePort } from "./scribe-port.ts";
import type { ThreadedScribe } from "./threaded-scribe.ts";

/** A draft of more is a crowd's. */
const FEW_ENTRIES = 4;
const FEW_CHARACTERS = 64 * 1024;
/** Who has had a crowd lately will have one again. */
const CROWD_MS = 50;
/** A disk that usually takes longer than this is waited for in the thread, so that everybody else is served meanwhile. */
const SLOW_COMMIT_MS = 3;
/** How much of what is usual is what was last. */
const WEIGHT_OF_LAST = 0.1;

export interface NearScribeOptions {
  /** Milliseconds that only go forward. */
  readonly now?: () => number;
  readonly slowCommitMs?: number;
}

/**
 * A draft that comes alone is written at once, in this thread: sending it to another one and hearing back from there takes
 * longer than writing it. Whatever comes in numbers, or to a slow disk, and everything that removes something is the thread's.
 * Only one of the two writes at a time, and each forgets what it had at hand when the other has written.
 */
export class NearScribe implements ScribePort {
  readonly resumed: Promise<void>;
  readonly #here: Scribe;
  readonly #thread: ThreadedScribe;
  readonly #now: () => number;
  readonly #slowCommitMs: number;
  /** What the thread was asked and has not answered yet. */
  #asked = 1;
  #threadHasWritten = true;
  #hereHasWritten = false;
  #crowdUntil = 0;
  /** How long a small draft usually takes. */
  #usualMs = 0;

  constructor(db: DatabaseSync, thread: ThreadedScribe, options: NearScribeOptions = {}) {
    this.#here = new Scribe(db, () => {}); // the thread seals, and reads what it was not told of
    this.#thread = thread;
    this.#now = options.now ?? (() => performance.now());
    this.#slowCommitMs = options.slowCommitMs ?? SLOW_COMMIT_MS;
    this.resumed = thread.resumed;
    void thread.resumed.then(() => this.#asked--);
  }

  get isQuiet(): boolean {
    return this.#asked === 0 && this.#usualMs <= this.#slowCommitMs && this.#now() >= this.#crowdUntil;
  }

  write(draft: Draft): Promise<Written> {
    return this.isQuiet && isSmall(draft) ? Promise.resolve(this.#writeHere(draft)) : this.#writeInThread(draft);
  }

  async remove(removal: RemovalTask, begun: () => void): Promise<number> {
    this.#turnToThread();
    try {
      return await this.#thread.remove(removal, begun);
    } finally {
      this.#asked--;
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  #writeHere(draft: Draft): Written {
    if (this.#threadHasWritten) this.#here.forget();
    this.#threadHasWritten = false;
    const written = this.#here.write(draft);
    this.#hereHasWritten = true;
    this.#learnFrom(written);
    return written;
  }

  async #writeInThread(draft: Draft): Promise<Written> {
    this.#turnToThread();
    const written = await this.#thread.write(draft);
    this.#asked--;
    if (isSmall(draft)) this.#learnFrom(written);
    else this.#crowdUntil = this.#now() + CROWD_MS;
    return written;
  }

  #learnFrom(written: Written): void {
    if (written.ok) this.#usualMs += (written.tookMs - this.#usualMs) * WEIGHT_OF_LAST;
  }

  #turnToThread(): void {
    this.#asked++;
    if (this.#hereHasWritten) this.#thread.heedOthers();
    this.#hereHasWritten = false;
    this.#threadHasWritten = true;
  }
}

function isSmall({ entries, refusals }: Draft): boolean {
  if (entries.length > FEW_ENTRIES * ENTRY_VALUES.length || refusals.length > FEW_ENTRIES) return false;
  let characters = 0;
  for (let index = ENTRY_VALUES.length - 1; index < entries.length; index += ENTRY_VALUES.length)
    characters += String(entries[index]).length;
  return characters <= FEW_CHARACTERS;
}
